#include "scene/json/setting.hpp"

#include "support/numbers.hpp"

namespace ballotcast::detail {

void refuse_setting(const std::string& who, const std::string& needed, const std::string& text) {
  throw UsageError(who + " needs " + needed + ", not '" + text + "'");
}

u32 count_in(const std::string& who, const std::string& text, u32 low, u32 high) {
  const std::optional<u32> value = parsed<u32>(text);
  if (!value || *value < low || *value > high)
    refuse_setting(who, "an integer from " + std::to_string(low) + " to " + std::to_string(high),
                   text);
  return *value;
}

u64 bytes_in(const std::string& who, const std::string& text) {
  constexpr std::string_view kLetters = "KMGT";
  const std::size_t letter = text.empty() ? kLetters.npos : kLetters.find(text.back());
  const bool has_letter = letter != kLetters.npos;
  const std::size_t shift = has_letter ? 10 * (letter + 1) : 0;
  const auto value =
      parsed<u64>(std::string_view(text).substr(0, text.size() - (has_letter ? 1 : 0)));
  if (!value || *value == 0 || *value > ~u64{0} >> shift)
    refuse_setting(who, "a number of bytes, like 512M or 2G", text);
  return *value << shift;
}

Check one_of(std::string_view kind, std::vector<std::string_view> names) {
  return [kind, names = std::move(names)](const std::string&, const std::string& text) {
    require_known(kind, {text}, names);
  };
}

std::string text_at(const Section& in, const std::string& key, SettingType type) {
  const Json& value = in.at(key.c_str());
  const bool is_name = type == SettingType::name;
  if (value.is_string() ? !is_name : !value.is_number() && !value.is_boolean())
    in.fail(key, (is_name ? "must be a text, not " : "must be a number, not ") +
                     Section::kind_of(value));
  return value.is_string()    ? value.get<std::string>()
         : value.is_boolean() ? value.get<bool>() ? "on" : "off"
                              : value.dump();
}

}  // namespace ballotcast::detail
