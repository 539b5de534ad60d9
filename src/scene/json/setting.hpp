// A setting as a row of a table: its names, its default, its help, and how a text becomes its value
// and back. Whoever takes or shows settings walks a table: render/picture_settings.hpp,
// render/cast_settings.hpp.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/json/json_section.hpp"
#include "support/error.hpp"
#include "support/json.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// What the value of a setting is: an integer, a number, or a text, mostly one of some names.
enum class SettingType : u8 { count, amount, name };

/// A row.
template <class Settings>
struct Setting {
  std::string_view name;   // of the option and of the URL's parameter: "white-balance"
  std::string_view key;    // in JSON: "white_balance"
  std::string_view value;  // placeholder in the help; "" for a flag
  std::string preset;      // the default as text
  std::string help;
  SettingType type = SettingType::name;
  /// Parses a text and stores its value. Throws UsageError for an invalid text; `who` names what it
  /// is for: "--spp".
  std::function<void(Settings& settings, const std::string& who, const std::string& text)> set = {};
  /// The value as a text that `set` reads back; "" if it is left to others, such as the scene.
  std::function<std::string(const Settings& settings)> text = {};

  /// Its name in words: "white balance".
  std::string words() const {
    std::string words(name);
    std::replace(words.begin(), words.end(), '-', ' ');
    return words;
  }
};

/// Throws UsageError: `who` needs `needed`, not `text`.
[[noreturn]] void refuse_setting(const std::string& who, const std::string& needed,
                                 const std::string& text);
/// The integer from `low` to `high` that a text states. Throws UsageError.
u32 count_in(const std::string& who, const std::string& text, u32 low, u32 high);
/// The number of bytes above 0 that a text states. K, M, G and T stand for 2^10 to 2^40: 512M.
u64 bytes_in(const std::string& who, const std::string& text);

/// Throws UsageError unless a text is a value; `who` as for Setting::set.
using Check = std::function<void(const std::string& who, const std::string& text)>;
Check one_of(std::string_view kind, std::vector<std::string_view> names);

/// The row of a member that holds an integer. `member` leads from the settings to it.
template <class Row, class Member>
Row integer_row(Row row, Member member, u32 low, u32 high) {
  row.type = SettingType::count;
  row.set = [=](auto& settings, const std::string& who, const std::string& text) {
    std::invoke(member, settings) = count_in(who, text, low, high);
  };
  row.text = [=](const auto& settings) { return std::to_string(std::invoke(member, settings)); };
  return row;
}

/// The row of a member that holds a text.
template <class Row, class Member>
Row text_row(Row row, Member member, Check check) {
  row.set = [=](auto& settings, const std::string& who, const std::string& text) {
    check(who, text);
    std::invoke(member, settings) = text;
  };
  row.text = [=](const auto& settings) { return std::invoke(member, settings); };
  return row;
}

/// The row with a key, or whose option has this name. Throws UsageError if there is none.
template <class Row>
const Row& row_with_key(const std::vector<Row>& rows, std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Row& row : rows) {
    if (row.key == key || row.name == key) return row;
    keys.push_back(row.key);
  }
  throw_unknown("setting", key, keys);
}

/// The value as JSON; null if it is left to others.
template <class Settings>
Json json_of(const Setting<Settings>& row, const Settings& settings) {
  const std::string text = row.text(settings);
  if (text.empty()) return {};
  return row.type == SettingType::name ? Json(text) : Json::parse(text);
}

/// The value that a JSON object states for a setting, as a text; true and false are on and off.
/// Throws InputError for a value of another type.
std::string text_at(const Section& in, const std::string& key, SettingType type);

/// Stores the value that a JSON object states for a row. Throws InputError for an invalid one.
template <class Settings>
void set_from(const Section& in, const Setting<Settings>& row, Settings& settings) {
  const std::string key(row.key);
  const std::string text = text_at(in, key, row.type);
  try {
    row.set(settings, "it", text);
  } catch (const UsageError& error) {
    in.fail(key, std::string("is wrong: ") + error.what());
  }
}

/// The values of all rows as one text, to compare them.
template <class Row, class Settings>
std::string texts_of(const std::vector<Row>& rows, const Settings& settings) {
  std::string all;
  for (const Row& row : rows) all += std::string(row.key) + " " + row.text(settings) + "\n";
  return all;
}

}  // namespace ballotcast::detail
