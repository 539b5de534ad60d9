#include "support/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

namespace {

/// The number of letters that must be inserted, removed, replaced or swapped with a neighbour to
/// turn `b` into `a` (optimal string alignment distance).
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) d[i * width] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t at = i * width + j;
      d[at] = std::min(
          {d[at - width] + 1, d[at - 1] + 1, d[at - width - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[at] = std::min(d[at], d[at - 2 * width - 2] + 1);
    }
  return d.back();
}

/// Appends the words of `text` to `out`, in lines from column `column` to kTextWidth, and a line
/// end. `at` is the length of the last line of `out` before the call.
void fill(std::string& out, std::size_t at, std::string_view text, std::size_t column) {
  bool fresh = true;  // true if the next word is the first of its line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!fresh && at + 1 + columns_of(word) > kTextWidth) {
      out += '\n';
      at = 0;
      fresh = true;
    }
    const std::size_t gap = fresh ? column - at : 1;
    out.append(gap, ' ').append(word);
    at += gap + columns_of(word);
    fresh = false;
  }
  out += '\n';
}

}  // namespace

std::string entry(std::string_view term, std::string_view text, std::size_t column) {
  std::string out = "  " + std::string(term);
  std::size_t at = columns_of(out);
  if (!text.empty() && at + 2 > column) {
    out += '\n';
    at = 0;
  }
  fill(out, at, text, column);
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  fill(out, 0, text, indent);
  return out;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;  // the first byte of a code point
  }));
}

std::string entries(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t longest = 0;
  for (const auto& [term, text] : rows) longest = std::max(longest, columns_of(term));
  std::string out;
  for (const auto& [term, text] : rows)
    out += entry(term, text, std::min(longest + 4, kTextWidth / 2));
  return out;
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string prefixed(double number) {
  for (const auto& [factor, prefix] : {std::pair{1e9, " G"}, {1e6, " M"}, {1e3, " k"}})
    if (number >= factor) return fixed(number / factor, 1) + prefix;
  return fixed(number, 0) + " ";
}

std::string bytes_in_words(std::uint64_t bytes) {
  const double b = static_cast<double>(bytes);
  for (const auto& [shift, unit] : {std::pair{30, " GiB"}, {20, " MiB"}, {10, " KiB"}})
    if (bytes >= std::uint64_t{1} << shift)
      return fixed(b / static_cast<double>(std::uint64_t{1} << shift), 1) + unit;
  return std::to_string(bytes) + " B";
}

std::string time_in_words(double milliseconds) {
  if (milliseconds < 10.0) return fixed(milliseconds, 1) + " ms";
  if (milliseconds < 999.5) return fixed(milliseconds, 0) + " ms";
  if (milliseconds < 59950.0) return fixed(milliseconds / 1e3, 1) + " s";
  const std::uint64_t seconds = static_cast<std::uint64_t>(milliseconds / 1e3 + 0.5);
  if (seconds < 3600)
    return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string quoted_name(std::string_view name) {
  constexpr std::size_t kMost = 100;
  return "\"" + one_line(std::string(name.substr(0, kMost))) +
         (name.size() > kMost ? "...\"" : "\"");
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./=,:@+%").find(char(c)) != std::string::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string nearest(std::string_view typed, const std::vector<std::string>& names) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(typed.size() / 3, 1) + 1;
  for (const std::string& name : names) {
    std::size_t changes = distance(typed, name);
    // If a name begins with the typed text, the distance is 1.
    if (typed.size() > 3 && name.starts_with(typed)) changes = 1;
    if (changes < fewest) {
      fewest = changes;
      best = name;
    }
  }
  return best;
}

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

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

}  // namespace ballotcast::detail

namespace ballotcast {

Error::Error(const std::string& text, const std::string& hint)
    : std::runtime_error(detail::one_line(text)), hint_(hint) {}

}  // namespace ballotcast
