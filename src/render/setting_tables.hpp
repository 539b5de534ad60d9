// The tables of settings: those of a picture, and those of casts, which say where rays are cast,
// through which tree, by which kernels, and change no hit. Everything that reads or writes settings
// walks a table: the command line and its help, reports, the viewer's links, commands and scene
// files, cases and axes of suites, Python, and the comparison between processes.
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

/// A setting of a picture. Sizes and cameras are not settings of this kind, because each has
/// several numbers.
struct PictureSetting : Setting<RenderSettings> {
  bool of_light = false;           // affects only shadings whose radiance is light
  bool is_in_scene_files = false;  // a scene file may state it
};

/// All rows, in the order of the help.
BALLOTCAST_API const std::vector<PictureSetting>& picture_settings();

/// The row with a key. Throws UsageError if there is none.
BALLOTCAST_API const PictureSetting& picture_setting(std::string_view key);

/// The largest value of --threads.
inline constexpr u32 kMostThreads = 1024;

/// What the rows set.
struct CastSettings {
  RendererOptions renderer = {};
  CastOptions cast = {};
  u32 threads = 0;  // of the CPU, at most; 0: all
};

/// What a setting of casts is about: the machines, the tree in their memory, or the kernels.
enum class CastPart : u8 { machine, tree, kernels };

/// A setting of casts. Its help says what it is, and `values` which values there are.
struct CastSetting : Setting<CastSettings> {
  CastPart part;
  std::string values = {};
  /// The names that stand for all values: "all" of a suite's axis. `verify` tries them.
  std::vector<std::string_view> all = {};
  bool is_axis = false;  // cases of suites may state several values, whose pictures must be equal
  /// What menus offer.
  std::vector<Choice> menu = {};
  /// What a renderer has chosen, as a text; null: settings are used as they are given.
  std::string (*chosen)(const Renderer& renderer) = nullptr;
};

/// All rows, in the order of the help.
BALLOTCAST_API const std::vector<CastSetting>& cast_settings();

/// The row with a key, or whose option has this name. Throws UsageError if there is none.
BALLOTCAST_API const CastSetting& cast_setting(std::string_view key);

/// The given settings, with what the renderer has chosen.
CastSettings settings_used(const Renderer& renderer, CastSettings given);

/// The settings that a renderer depends on, as one text. Those with equal texts can share a
/// renderer.
std::string renderer_key(const CastSettings& settings);

}  // namespace ballotcast::detail
