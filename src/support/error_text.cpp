#include "support/error_text.hpp"

#include <cstdio>

namespace ballotcast {

Error::Error(const std::string& text, const std::string& hint)
    : std::runtime_error(detail::one_line(text)), hint_(hint) {}

namespace detail {

namespace {

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }

/// Replaces control characters in `text` by \x1b and the like, except those for which `keeps` is
/// true. The C1 control characters, which are two bytes in UTF-8, are replaced, too.
template <class Keeps>
std::string escaped(const std::string& text, Keeps keeps) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const auto before = static_cast<unsigned char>(i > 0 ? text[i - 1] : 0);
    const auto after = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_c1 = (code == 0xc2 && after >= 0x80 && after < 0xa0) ||
                       (before == 0xc2 && code >= 0x80 && code < 0xa0);
    if (keeps(text[i]) || (!is_control(code) && !is_c1)) {
      out += text[i];
      continue;
    }
    char digits[8];
    std::snprintf(digits, sizeof digits, "\\x%02x", static_cast<unsigned>(code));
    out += digits;
  }
  return out;
}

}  // namespace

std::string one_line(const std::string& text) {
  // In bytes: texts longer than kMost are cut to their first kHead and to their end.
  constexpr std::size_t kMost = 2000, kHead = 1500;
  if (text.size() > kMost)
    return one_line(text.substr(0, kHead) + " ... " +
                    text.substr(text.size() - (kMost - kHead - 5)));
  return escaped(text, [](char) { return false; });
}

std::string printable(const std::string& text) {
  return escaped(text, [](char c) { return c == '\n' || c == '\t'; });
}

}  // namespace detail
}  // namespace ballotcast
