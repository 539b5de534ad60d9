#include "view/address.hpp"

#include <charconv>

#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kLongestValue = 1000;  // of a parameter, in bytes

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%') {
      unsigned code = 0;
      const char* const digits = text.data() + i + 1;
      if (text.size() - i < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2)
        throw UsageError("an address has % without two hexadecimal digits");
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

Address parsed_address(std::string_view target) {
  const std::size_t mark = target.find('?');
  Address address{decoded(target.substr(0, mark)), {}};
  if (mark == target.npos) return address;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    const std::string name = decoded(one.substr(0, equals));
    const std::string value = equals == one.npos ? "" : decoded(one.substr(equals + 1));
    if (!address.values.emplace(name, value).second)
      throw UsageError("parameter " + quoted_name(name) + " is given twice");
    if (value.size() > kLongestValue)
      throw UsageError("parameter " + quoted_name(name) + " is longer than " +
                       std::to_string(kLongestValue) + " bytes");
  }
  return address;
}

}  // namespace ballotcast::detail
