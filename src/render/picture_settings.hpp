// The table of settings of a picture. Everything that reads or writes such settings walks it: the
// command line and its help, reports, the viewer's links, commands and scene files, cases of
// suites, Python, and the comparison between processes.
#pragma once

#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "support/setting.hpp"

namespace ballotcast::detail {

/// A row. Sizes and cameras are not settings of this kind, because each has several numbers.
struct PictureSetting : Setting<RenderSettings> {
  bool of_light = false;           // affects only shadings whose radiance is light
  bool is_in_scene_files = false;  // a scene file may state it
};

/// All rows, in the order of the help.
BALLOTCAST_API const std::vector<PictureSetting>& picture_settings();

/// The row with a key. Throws UsageError if there is none.
BALLOTCAST_API const PictureSetting& picture_setting(std::string_view key);

}  // namespace ballotcast::detail
