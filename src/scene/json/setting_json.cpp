#include "scene/json/setting_json.hpp"

namespace ballotcast::detail {

namespace {

std::string text_of(const Section& in, const std::string& key, const Json& value,
                    SettingType type) {
  const bool is_name = type == SettingType::name;
  if (value.is_string() ? !is_name : !value.is_number() && !value.is_boolean())
    in.fail(key, (is_name ? "must be a text, not " : "must be a number, not ") +
                     Section::kind_of(value));
  return value.is_string()    ? value.get<std::string>()
         : value.is_boolean() ? value.get<bool>() ? "on" : "off"
                              : value.dump();
}

}  // namespace

std::string text_at(const Section& in, const std::string& key, SettingType type) {
  return text_of(in, key, in.at(key.c_str()), type);
}

std::vector<std::string> texts_at(const Section& in, const std::string& key, SettingType type) {
  const Json& value = in.at(key.c_str());
  if (!value.is_array()) return {text_of(in, key, value, type)};
  if (value.empty()) in.fail(key, "must not be an empty list");
  std::vector<std::string> texts;
  for (const Json& one : value) texts.push_back(text_of(in, key, one, type));
  return texts;
}

}  // namespace ballotcast::detail
