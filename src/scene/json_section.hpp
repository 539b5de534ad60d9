// Reading JSON files that people write: every complaint names the file and the key.
#pragma once

#include <initializer_list>
#include <string>

#include "math/vec.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// Parses a JSON document. Throws InputError naming `path`, and the line, when `text` is none.
/// With `comments`, `//` comments are skipped.
Json parse_json(const std::string& text, const std::string& path, bool comments);

/// A JSON object that knows where it stands. The document must outlive it.
class Section {
 public:
  /// `name` is the key under which it stands, or "" for the whole document, which messages then
  /// call `whole`. Throws InputError when `json` is no object or has a key that isn't among `keys`.
  Section(const Json& json, std::string file, std::string name,
          std::initializer_list<const char*> keys, std::string whole = "the scene");

  bool has(const char* key) const { return json_.contains(key); }
  /// The value of a key that must be there.
  const Json& at(const char* key) const;

  std::string text(const char* key) const;
  /// A text, or a list of at least one.
  std::vector<std::string> texts(const char* key) const;
  bool flag(const char* key) const;
  double number(const char* key) const;
  /// A whole number from `low` to `high`.
  u32 count(const char* key, u32 low, u32 high) const;
  /// One, or a list of at least one.
  std::vector<u32> counts(const char* key, u32 low, u32 high) const;
  dvec3 vector(const char* key) const;
  /// A vector that isn't [0, 0, 0].
  dvec3 direction(const char* key) const;
  /// A vector without negative components.
  vec3 color(const char* key) const;
  /// A number from 0 to `most`.
  float amount(const char* key, u32 most) const;

  /// The key as messages call it: "camera.eye".
  std::string path_of(const std::string& key) const;
  /// Throws InputError: FILE: "SECTION" `why`.
  [[noreturn]] void fail(const std::string& why) const;
  /// Throws InputError: FILE: "SECTION.KEY" `why`.
  [[noreturn]] void fail(const std::string& key, const std::string& why) const;

  /// What a value is, for messages: "a list of 3".
  static std::string kind_of(const Json& value);

 private:
  double finite(const char* key, double value) const;
  u32 whole_number(const char* key, const Json& value, u32 low, u32 high) const;

  const Json& json_;
  std::string file_;
  std::string name_;
  std::string whole_;
};

}  // namespace ballotcast::detail
