#include "support/setting.hpp"

#include "support/numbers.hpp"

namespace ballotcast::detail {

void refuse_setting(const std::string& shown_name, const std::string& needed,
                    const std::string& text) {
  throw UsageError(shown_name + " needs " + needed + ", not '" + text + "'");
}

std::uint32_t count_in(const std::string& shown_name, const std::string& text, std::uint32_t low,
                       std::uint32_t high) {
  const std::optional<std::uint32_t> value = parsed<std::uint32_t>(text);
  if (!value || *value < low || *value > high)
    refuse_setting(shown_name,
                   "an integer from " + std::to_string(low) + " to " + std::to_string(high), text);
  return *value;
}

std::uint64_t bytes_in(const std::string& shown_name, const std::string& text) {
  constexpr std::string_view kLetters = "KMGT";
  const std::size_t letter = text.empty() ? kLetters.npos : kLetters.find(text.back());
  const bool has_letter = letter != kLetters.npos;
  const std::size_t shift = has_letter ? 10 * (letter + 1) : 0;
  const auto value =
      parsed<std::uint64_t>(std::string_view(text).substr(0, text.size() - (has_letter ? 1 : 0)));
  if (!value || *value == 0 || *value > ~std::uint64_t{0} >> shift)
    refuse_setting(shown_name, "a number of bytes, like 512M or 2G", text);
  return *value << shift;
}

Check one_of(std::string_view kind, std::vector<std::string_view> names) {
  return [kind, names = std::move(names)](const std::string&, const std::string& text) {
    require_known(kind, {text}, names);
  };
}

}  // namespace ballotcast::detail
