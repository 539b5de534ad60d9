#include "support/error.hpp"

#include <cstdio>

namespace ballotcast {

Error::Error(const std::string& text) : std::runtime_error(detail::one_line(text)) {}

namespace detail {

std::string one_line(const std::string& text) {
  constexpr std::size_t kMost = 2000, kHead = 1500;  // bytes
  if (text.size() > kMost)
    return one_line(text.substr(0, kHead) + " ... " +
                    text.substr(text.size() - (kMost - kHead - 5)));
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code != 0x7f) {
      out += c;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(code));
    out += escaped;
  }
  return out;
}

}  // namespace detail
}  // namespace ballotcast
