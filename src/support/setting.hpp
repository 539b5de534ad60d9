// A setting as a row of a table: its names, its default, its help, and functions that convert its
// value from text and to text. All code that reads or shows settings iterates over such
// a table: render/setting_tables.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/error.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// The type of a setting's value: an integer, a number, or a text (mostly one of several names).
enum class SettingType : std::uint8_t { count, amount, name };

/// A row of the table.
template <class Settings>
struct Setting {
  std::string_view name;   // of the option and of the URL parameter: "white-balance"
  std::string_view key;    // the key in JSON: "white_balance"
  std::string_view value;  // placeholder in the help; "" for a flag
  std::string preset;      // the default as text
  std::string help;
  SettingType type = SettingType::name;
  /// Parses a text and stores its value. Throws UsageError for an invalid text; `shown_name` is the
  /// setting's name for messages: "--spp".
  std::function<void(Settings& settings, const std::string& shown_name, const std::string& text)>
      set = {};
  /// The value as a text that `set` can parse; "" if the value is chosen elsewhere, for example by
  /// the scene.
  std::function<std::string(const Settings& settings)> text = {};

  /// The name of the setting in words: "white balance".
  std::string words() const {
    std::string words(name);
    std::replace(words.begin(), words.end(), '-', ' ');
    return words;
  }
};

/// Throws a UsageError which says that `shown_name` needs `needed`, not `text`.
[[noreturn]] void refuse_setting(const std::string& shown_name, const std::string& needed,
                                 const std::string& text);
/// Parses an integer from `low` to `high`. Throws UsageError for another text; `shown_name` is the
/// setting's name in the message.
std::uint32_t count_in(const std::string& shown_name, const std::string& text, std::uint32_t low,
                       std::uint32_t high);
/// Parses a number of bytes above 0. K, M, G and T stand for 2^10 to 2^40: 512M. Throws UsageError
/// for another text.
std::uint64_t bytes_in(const std::string& shown_name, const std::string& text);

/// A function that throws UsageError unless `text` is a valid value; `shown_name` is as in
/// Setting::set.
using Check = std::function<void(const std::string& shown_name, const std::string& text)>;
Check one_of(std::string_view kind, std::vector<std::string_view> names);

/// Sets `type`, `set` and `text` of the row of a setting that is an integer from `low` to `high`.
/// `member` is a pointer to the member, or a function from the settings to the member.
template <class Row, class Member>
Row integer_row(Row row, Member member, std::uint32_t low, std::uint32_t high) {
  row.type = SettingType::count;
  row.set = [=](auto& settings, const std::string& shown_name, const std::string& text) {
    std::invoke(member, settings) = count_in(shown_name, text, low, high);
  };
  row.text = [=](const auto& settings) { return std::to_string(std::invoke(member, settings)); };
  return row;
}

/// Sets `set` and `text` of the row of a setting that is a text. `member` is as in integer_row.
/// `check` says which texts are valid.
template <class Row, class Member>
Row text_row(Row row, Member member, Check check) {
  row.set = [=](auto& settings, const std::string& shown_name, const std::string& text) {
    check(shown_name, text);
    std::invoke(member, settings) = text;
  };
  row.text = [=](const auto& settings) { return std::invoke(member, settings); };
  return row;
}

/// The row with this key or this option name. Throws UsageError if there is none.
template <class Row>
const Row& row_with_key(const std::vector<Row>& rows, std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Row& row : rows) {
    if (row.key == key || row.name == key) return row;
    keys.push_back(row.key);
  }
  throw_unknown("setting", key, keys);
}

/// The values of all rows as one text, to compare them.
template <class Row, class Settings>
std::string texts_of(const std::vector<Row>& rows, const Settings& settings) {
  std::string all;
  for (const Row& row : rows) all += std::string(row.key) + " " + row.text(settings) + "\n";
  return all;
}

}  // namespace ballotcast::detail
