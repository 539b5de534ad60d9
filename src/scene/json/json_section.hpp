// Reads JSON files. Every error message names the file and the key.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "support/json_fwd.hpp"
#include "support/setting.hpp"

namespace ballotcast::detail {

/// Parses a JSON document. Throws InputError, which names `path`, if `text` is not valid JSON, if
/// an object has the same key twice, or if a text contains a null character. With `comments`, `//`
/// comments are skipped.
Json parse_json(const std::string& text, const std::string& path, bool comments);

/// A JSON object with the name of its file and its own key, for error messages. The JSON document
/// must outlive this object.
class Section {
 public:
  /// `name` is the key of the object, or "" for the whole document, which is called `whole` in
  /// messages. Throws InputError if `json` is not an object or has a key that is not in `keys`.
  Section(const Json& json, std::string file, std::string name,
          const std::vector<const char*>& keys, std::string whole = "the scene");

  /// As the other constructor, for an object that may have any keys.
  Section(const Json& json, std::string file, std::string name);

  bool has(const char* key) const;
  /// The value of `key`. Throws InputError if the key is missing. The functions from `text` to
  /// `amount` also throw it if the value has the wrong type or is out of range.
  const Json& at(const char* key) const;

  std::string text(const char* key) const;
  /// A text, or a list of at least one text.
  std::vector<std::string> texts(const char* key) const;
  bool flag(const char* key) const;
  double number(const char* key) const;
  /// An integer from `low` to `high`.
  u32 count(const char* key, u32 low, u32 high) const;
  /// An integer, or a list of at least one integer.
  std::vector<u32> counts(const char* key, u32 low, u32 high) const;
  dvec3 vector(const char* key) const;
  /// A vector other than [0, 0, 0].
  dvec3 direction(const char* key) const;
  /// A vector without negative components.
  vec3 color(const char* key) const;
  /// A number in [0, most].
  float amount(const char* key, u32 most) const;

  /// A list of `size` numbers.
  std::vector<double> numbers(const char* key, std::size_t size) const;
  /// The numbers of a matrix, given as a list of numbers or as a list of rows.
  std::vector<double> matrix(const char* key) const;
  /// The value of a setting, as a text. true and false become "on" and "off".
  std::string setting(const std::string& key, SettingType type) const;
  /// As `setting`, for one value or a list of at least one value.
  std::vector<std::string> settings(const std::string& key, SettingType type) const;
  /// An object that may have any keys.
  Section object(const char* key) const;
  /// An object that may have the keys `known`.
  Section object(const char* key, const std::vector<const char*>& known) const;
  /// A list of objects; empty if the key is missing.
  std::vector<Section> objects(const char* key) const;
  /// The key of this object for messages: "camera".
  const std::string& name() const { return name_; }

  /// The full key for messages: "camera.eye".
  std::string path_of(const std::string& key) const;
  /// Throws InputError with the text FILE: "SECTION" `why`.
  [[noreturn]] void fail(const std::string& why) const;
  /// Throws InputError with the text FILE: "SECTION.KEY" `why`.
  [[noreturn]] void fail(const std::string& key, const std::string& why) const;

  /// Describes a value for messages: "a list of 3", "an object", or the value itself.
  static std::string kind_of(const Json& value);

 private:
  double finite(const char* key, double value) const;
  u32 whole_number(const char* key, const Json& value, u32 low, u32 high) const;
  std::string setting_of(const std::string& key, const Json& value, SettingType type) const;

  const Json& json_;
  std::string file_;
  std::string name_;
  std::string whole_;
};

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
