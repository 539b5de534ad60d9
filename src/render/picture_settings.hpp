// The table of settings of a picture. The command line and its help, the viewer's links and
// commands, and cases of suites walk it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/options.hpp"

namespace ballotcast::detail {

/// A row. Sizes and cameras are not settings of this kind: they have several numbers.
struct PictureSetting {
  std::string_view name;   // of the option and of the URL's parameter: "white-balance"
  std::string_view key;    // in JSON: "white_balance"
  std::string_view value;  // placeholder in the help
  std::string preset;      // the default as text
  std::string help;
  bool of_light;   // it changes only shadings whose radiance is light
  bool is_number;  // in JSON
  /// Parses a text and stores its value. Throws UsageError for an invalid text; `who` names what it
  /// is for: "--spp".
  std::function<void(RenderSettings& settings, const std::string& who, const std::string& text)>
      set;
  /// The value as a text that `set` reads back; "" if it is left to the scene.
  std::function<std::string(const RenderSettings& settings)> text;
};

/// All rows, in the order of the help.
const std::vector<PictureSetting>& picture_settings();

}  // namespace ballotcast::detail
