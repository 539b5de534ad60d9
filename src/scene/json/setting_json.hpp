// Settings (support/setting.hpp) in JSON files and reports.
#pragma once

#include <string>

#include "scene/json/json_section.hpp"
#include "support/json.hpp"
#include "support/setting.hpp"

namespace ballotcast::detail {

/// The value of a setting as JSON; null if the value is chosen elsewhere.
template <class Settings>
Json json_of(const Setting<Settings>& row, const Settings& settings) {
  const std::string text = row.text(settings);
  if (text.empty()) return {};
  return row.type == SettingType::name ? Json(text) : Json::parse(text);
}

/// Sets a setting to the value of `text`. Throws InputError, which names the key, if the value is
/// invalid.
template <class Settings>
void set_at(const Section& in, const Setting<Settings>& row, const std::string& text,
            Settings& settings) {
  try {
    row.set(settings, "it", text);
  } catch (const UsageError& error) {
    in.fail(std::string(row.key), std::string("is wrong: ") + error.what());
  }
}

/// Sets a setting to its value in a JSON object. Throws InputError if the value is invalid.
template <class Settings>
void set_from(const Section& in, const Setting<Settings>& row, Settings& settings) {
  set_at(in, row, in.setting(std::string(row.key), row.type), settings);
}

}  // namespace ballotcast::detail
