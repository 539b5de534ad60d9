// The table of settings of a picture. The command line and its help, reports, the viewer's links,
// commands and scene files, cases of suites, Python, and what processes compare walk it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/options.hpp"
#include "scene/json/json_section.hpp"

namespace ballotcast::detail {

/// What the value of a setting is: an integer, a number, or one of some names.
enum class SettingType : u8 { count, amount, name };

/// A row. Sizes and cameras are not settings of this kind: they have several numbers.
struct PictureSetting {
  std::string_view name;   // of the option and of the URL's parameter: "white-balance"
  std::string_view key;    // in JSON: "white_balance"
  std::string_view value;  // placeholder in the help
  std::string preset;      // the default as text
  std::string help;
  bool of_light;           // it changes only shadings whose radiance is light
  bool is_in_scene_files;  // a scene file may state it
  SettingType type = SettingType::name;
  /// Parses a text and stores its value. Throws UsageError for an invalid text; `who` names what it
  /// is for: "--spp".
  std::function<void(RenderSettings& settings, const std::string& who, const std::string& text)>
      set = {};
  /// The value as a text that `set` reads back; "" if it is left to the scene.
  std::function<std::string(const RenderSettings& settings)> text = {};
};

/// All rows, in the order of the help.
const std::vector<PictureSetting>& picture_settings();

/// The row with a key. Throws UsageError if there is none.
BALLOTCAST_API const PictureSetting& picture_setting(std::string_view key);

/// The value as JSON; null if it is left to the scene.
Json json_of(const PictureSetting& row, const RenderSettings& settings);

/// Stores the value that a JSON object states for a row; true and false stand for on and off.
/// Throws InputError for an invalid one.
void set_from(const Section& in, const PictureSetting& row, RenderSettings& settings);

/// All values as one text. Processes that draw together compare it.
std::string text_of(const RenderSettings& settings);

}  // namespace ballotcast::detail
