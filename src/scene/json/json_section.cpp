#include "scene/json/json_section.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "ballotcast/error.hpp"
#include "scene/formats/readers.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kDeepestJson = 200;

/// Shortens a text for messages, because a text in a file may be as long as the file.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 300;
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

/// Rejects documents that the library would accept: documents with repeated keys, null characters
/// or very deep nesting. It stops at a syntax error, which the library reports.
class Watch : public nlohmann::json_sax<Json> {
 public:
  explicit Watch(const std::string& path) : path_(path) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& text) override { return whole(text); }
  bool key(string_t& key) override {
    if (open_.back().insert(key).second) return whole(key);
    throw InputError(path_ + ": the key " + quoted_name(key) + " occurs twice in one object");
  }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  bool enter() {
    open_.emplace_back();
    // Functions that process a document are recursive, so deeper nesting would overflow the stack.
    if (open_.size() > kDeepestJson)
      throw InputError(path_ + ": nested more than " + std::to_string(kDeepestJson) + " deep");
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }
  /// Rejects null characters. A text may be a file name, and the operating system would end it at
  /// the null character and open another file.
  bool whole(const std::string& text) const {
    if (text.find('\0') != std::string::npos)
      throw InputError(path_ + ": a text contains \\u0000, which is not allowed");
    return true;
  }

  const std::string& path_;
  // The keys of each object that contains the current position
  std::vector<std::set<std::string>> open_;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& path, bool comments) {
  if (text.empty()) throw InputError(path + ": empty file");
  require_bytewise({reinterpret_cast<const u8*>(text.data()), text.size()}, path);
  try {
    // Parses twice, because parsing with a callback examines a whole array again after each object
    // in it.
    Watch watch(path);
    Json::sax_parse(text, &watch, Json::input_format_t::json, true, comments);
    return Json::parse(text, nullptr, true, comments);
  } catch (const Json::exception& error) {
    throw InputError(path + ": not JSON: " + shortened(reason_of(error)));
  }
}

Section::Section(const Json& json, std::string file, std::string name,
                 const std::vector<const char*>& keys, std::string whole)
    : json_(json), file_(std::move(file)), name_(std::move(name)), whole_(std::move(whole)) {
  if (!json.is_object()) fail("must be an object, not " + kind_of(json));
  for (const auto& [key, value] : json.items()) {
    bool known = false;
    std::string list;
    for (const char* k : keys) {
      known = known || key == k;
      list += (list.empty() ? "" : ", ") + std::string(k);
    }
    if (!known) fail("has no key " + quoted_name(key) + "; its keys are " + list);
  }
}

Section::Section(const Json& json, std::string file, std::string name)
    : json_(json), file_(std::move(file)), name_(std::move(name)), whole_("the file") {
  if (!json.is_object()) fail("must be an object, not " + kind_of(json));
}

bool Section::has(const char* key) const { return json_.contains(key); }

const Json& Section::at(const char* key) const {
  if (!has(key)) fail(std::string("needs the key \"") + key + "\"");
  return json_[key];
}

std::string Section::path_of(const std::string& key) const {
  return name_.empty() ? key : name_ + "." + key;
}

void Section::fail(const std::string& why) const {
  throw InputError(file_ + ": " + (name_.empty() ? whole_ : "\"" + name_ + "\"") + " " + why);
}

void Section::fail(const std::string& key, const std::string& why) const {
  throw InputError(file_ + ": \"" + path_of(key) + "\" " + why);
}

std::string Section::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) fail(key, "must be a text, not " + kind_of(value));
  return value.get<std::string>();
}

std::vector<std::string> Section::texts(const char* key) const {
  const Json& value = at(key);
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array() || value.empty())
    fail(key, "must be a text or a list of texts, not " + kind_of(value));
  std::vector<std::string> all;
  for (const Json& element : value) {
    if (!element.is_string()) fail(key, "must contain only texts, not " + kind_of(element));
    all.push_back(element.get<std::string>());
  }
  return all;
}

bool Section::flag(const char* key) const {
  const Json& value = at(key);
  if (!value.is_boolean()) fail(key, "must be true or false, not " + kind_of(value));
  return value.get<bool>();
}

double Section::number(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number()) fail(key, "must be a number, not " + kind_of(value));
  return finite(key, value.get<double>());
}

u32 Section::count(const char* key, u32 low, u32 high) const {
  return whole_number(key, at(key), low, high);
}

std::vector<u32> Section::counts(const char* key, u32 low, u32 high) const {
  const Json& value = at(key);
  if (!value.is_array()) return {whole_number(key, value, low, high)};
  if (value.empty()) fail(key, "must not be an empty list");
  std::vector<u32> all;
  for (const Json& element : value) all.push_back(whole_number(key, element, low, high));
  return all;
}

dvec3 Section::vector(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array() || value.size() != 3)
    fail(key, "must be three numbers like [0, 1, 0], not " + kind_of(value));
  dvec3 v;
  for (int i = 0; i < 3; ++i) {
    const Json& element = value[static_cast<std::size_t>(i)];
    if (!element.is_number()) fail(key, "must be three numbers, not " + kind_of(element));
    v[i] = finite(key, element.get<double>());
  }
  return v;
}

dvec3 Section::direction(const char* key) const {
  const dvec3 v = vector(key);
  if (v.x == 0.0 && v.y == 0.0 && v.z == 0.0) fail(key, "must not be [0, 0, 0]");
  return v;
}

vec3 Section::color(const char* key) const {
  const dvec3 v = vector(key);
  if (v.x < 0.0 || v.y < 0.0 || v.z < 0.0) fail(key, "must not be negative");
  return vec3(v);
}

std::vector<double> Section::numbers(const char* key, std::size_t size) const {
  const Json& value = at(key);
  const auto is_number = [](const Json& element) { return element.is_number(); };
  if (!value.is_array() || value.size() != size ||
      !std::all_of(value.begin(), value.end(), is_number))
    fail(key, "must be a list of " + std::to_string(size) + " numbers, not " + kind_of(value));
  std::vector<double> all;
  for (const Json& element : value) all.push_back(finite(key, element.get<double>()));
  return all;
}

std::vector<double> Section::matrix(const char* key) const {
  std::vector<double> all;
  const auto add = [&](const Json& value) {
    if (!value.is_number()) fail(key, "must be a list of numbers, or of rows of numbers");
    all.push_back(value.get<double>());
  };
  if (!at(key).is_array()) fail(key, "must be a list");
  for (const Json& row : at(key)) {
    if (!row.is_array()) {
      add(row);
      continue;
    }
    for (const Json& value : row) add(value);
  }
  return all;
}

std::string Section::setting_of(const std::string& key, const Json& value, SettingType type) const {
  const bool is_name = type == SettingType::name;
  if (value.is_string() ? !is_name : !value.is_number() && !value.is_boolean())
    fail(key, (is_name ? "must be a text, not " : "must be a number, not ") + kind_of(value));
  return value.is_string()    ? value.get<std::string>()
         : value.is_boolean() ? value.get<bool>() ? "on" : "off"
                              : value.dump();
}

std::string Section::setting(const std::string& key, SettingType type) const {
  return setting_of(key, at(key.c_str()), type);
}

std::vector<std::string> Section::settings(const std::string& key, SettingType type) const {
  const Json& value = at(key.c_str());
  if (!value.is_array()) return {setting_of(key, value, type)};
  if (value.empty()) fail(key, "must not be an empty list");
  std::vector<std::string> texts;
  for (const Json& one : value) texts.push_back(setting_of(key, one, type));
  return texts;
}

Section Section::object(const char* key) const { return {at(key), file_, path_of(key)}; }

Section Section::object(const char* key, const std::vector<const char*>& known) const {
  return Section(at(key), file_, path_of(key), known);
}

std::vector<Section> Section::objects(const char* key) const {
  if (!has(key)) return {};
  const Json& value = at(key);
  if (!value.is_array()) fail(key, "must be a list, not " + kind_of(value));
  std::vector<Section> all;
  for (std::size_t i = 0; i < value.size(); ++i)
    all.push_back({value[i], file_, path_of(key) + "[" + std::to_string(i) + "]"});
  return all;
}

float Section::amount(const char* key, u32 most) const {
  const Json& value = at(key);
  if (!value.is_number() || !(value.get<double>() >= 0.0 && value.get<double>() <= most))
    fail(key, "must be a number from 0 to " + std::to_string(most) + ", not " + kind_of(value));
  return value.get<float>();
}

std::string Section::kind_of(const Json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

double Section::finite(const char* key, double value) const {
  // A number that fits into a double may still overflow when it is converted to a float.
  if (!(std::abs(value) <= 1e30)) fail(key, "is too large");
  return value;
}

u32 Section::whole_number(const char* key, const Json& value, u32 low, u32 high) const {
  if (!value.is_number_unsigned() || value.get<u64>() < low || value.get<u64>() > high)
    fail(key, "must be an integer from " + std::to_string(low) + " to " + std::to_string(high) +
                  ", not " + kind_of(value));
  return value.get<u32>();
}

}  // namespace ballotcast::detail
