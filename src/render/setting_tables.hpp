// The tables of settings: the settings of a picture, and the settings of casts, which select the
// device, the tree and the kernels, and change no hit. All code that reads or writes settings
// iterates over a table: the command line and its help, reports, the viewer's links, commands and
// scene files, cases of suites, Python, and the comparison between processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "ballotcast/renderer.hpp"
#include "ballotcast/tables.hpp"
#include "math/portable.hpp"
#include "support/setting.hpp"

namespace ballotcast::detail {

/// A setting of a picture. Sizes and cameras are not in this table, because each of them has
/// several numbers.
struct PictureSetting : Setting<RenderSettings> {
  bool of_light = false;           // true if it affects only shadings whose radiance is light
  bool is_in_scene_files = false;  // true if scene files may contain it
};

/// All rows, in the order of the help.
BALLOTCAST_API const std::vector<PictureSetting>& picture_settings();

/// The row with a key. Throws UsageError if there is none.
BALLOTCAST_API const PictureSetting& picture_setting(std::string_view key);

/// The largest value of --threads.
inline constexpr u32 kMostThreads = 1024;

/// The settings that the rows of casts set.
struct CastSettings {
  RendererOptions renderer = {};
  CastOptions cast = {};
  u32 threads = 0;  // largest number of CPU threads; 0: no limit
};

/// The part of a cast that a setting is about: the machines, the tree in their memory, or the
/// kernels.
enum class CastPart : u8 { machine, tree, kernels };

/// A setting of casts. Its help text describes it, and `values` describes its values.
struct CastSetting : Setting<CastSettings> {
  CastPart part;
  std::string values = {};
  /// The names of all values, for "all" in suites. `verify` tries all of them.
  std::vector<std::string_view> all = {};
  // True if suite cases may list several values, whose pictures must be equal
  bool is_axis = false;
  /// The items of a menu.
  std::vector<Choice> menu = {};
  /// Returns the value that a renderer has chosen, as a text; null: given values are used
  /// unchanged.
  std::string (*chosen)(const Renderer& renderer) = nullptr;
};

/// All rows, in the order of the help.
BALLOTCAST_API const std::vector<CastSetting>& cast_settings();

/// The row with a key, or whose option has this name. Throws UsageError if there is none.
BALLOTCAST_API const CastSetting& cast_setting(std::string_view key);

/// The given settings, with the renderer's choices in place of `auto`.
CastSettings settings_used(const Renderer& renderer, CastSettings settings);

/// A text with the values of all settings on which a renderer depends. Settings with equal texts
/// can share a renderer.
std::string renderer_key(const CastSettings& settings);

}  // namespace ballotcast::detail
