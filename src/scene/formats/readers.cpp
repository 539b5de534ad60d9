#include "scene/formats/readers.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ballotcast/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The position of the first `c` from `begin` on, or `end`.
const char* find(const char* begin, const char* end, char c) {
  if (begin == end) return end;
  const void* const found = std::memchr(begin, c, static_cast<std::size_t>(end - begin));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

/// The value of a number that is too small or too large for a double: 0 or infinity, with its sign.
double limit_of(std::string_view number) {
  const std::size_t power = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = std::min(number.substr(0, power).find('.'), power);
  const std::size_t first = number.find_first_of("123456789");
  std::string_view digits = number.substr(std::min(power + 1, number.size()));
  if (digits.starts_with('+')) digits.remove_prefix(1);
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  std::int64_t exponent = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (read.ec == std::errc::result_out_of_range)
    exponent = digits.starts_with('-') ? -kMost : kMost;
  // The first digit other than 0 has the value of this power of ten, or of the power below.
  exponent += static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  const double size = exponent < 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return number.starts_with('-') ? -size : size;
}

/// The meaning of `rest`, the text after "1." or "-1.", as old C libraries print it; `one` is that
/// number. #INF means infinity; #QNAN, #SNAN and #IND mean NaN. Returns nothing for another text.
std::optional<double> printed_by_old_libraries(std::string_view rest, double one) {
  if (one != 1.0 && one != -1.0) return std::nullopt;
  if (rest.starts_with("#INF")) return one * std::numeric_limits<double>::infinity();
  for (const std::string_view name : {"#QNAN", "#SNAN", "#IND"})
    if (rest.starts_with(name)) return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* const end = word.data() + word.size();
  double value = 0.0;
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc::invalid_argument || (stop != end && *stop != '#')) return std::nullopt;
  const auto length = static_cast<std::size_t>(stop - word.data());
  if (error == std::errc::result_out_of_range) return limit_of(word.substr(0, length));
  return printed_by_old_libraries(word.substr(length), value).value_or(value);
}

std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

Lines::Lines(const std::vector<u8>& text)
    : Lines(without_mark({reinterpret_cast<const char*>(text.data()), text.size()}), 0) {}

Lines::Lines(std::string_view text, u32 lines_before)
    : rest_(text.data()),
      stop_(rest_ + text.size()),
      next_n_(find(rest_, stop_, '\n')),
      next_r_(find(rest_, stop_, '\r')),
      passed_(lines_before) {}

bool Lines::next() {
  if (rest_ == stop_) return false;
  number_ = passed_ + 1;
  if (next_n_ < rest_) next_n_ = find(rest_, stop_, '\n');
  if (next_r_ < rest_) next_r_ = find(rest_, stop_, '\r');
  const char* const end = std::min(next_n_, next_r_);
  line_ = {rest_, static_cast<std::size_t>(end - rest_)};
  rest_ = end;
  if (rest_ == stop_) return true;
  ++passed_;
  rest_ += stop_ - rest_ > 1 && rest_[0] == '\r' && rest_[1] == '\n' ? 2 : 1;
  return true;
}

void Lines::join_continued() {
  if (!line_.ends_with('\\')) return;
  const u32 number = number_;
  joined_ = line_;
  do {
    joined_.back() = ' ';
    if (!next()) break;
    joined_ += line_;
  } while (line_.ends_with('\\'));
  line_ = joined_;
  number_ = number;
}

void require_bytewise(std::span<const u8> text, const std::string& name) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : u8{1}; };
  const bool marked = (at(0) == 0xff && at(1) == 0xfe) || (at(0) == 0xfe && at(1) == 0xff);
  const bool unmarked = (at(0) == 0 && at(1) != 0 && at(2) == 0 && at(3) != 0) ||
                        (at(0) != 0 && at(1) == 0 && at(2) != 0 && at(3) == 0);
  if (marked || unmarked) throw InputError(name + ": the file is UTF-16 text; save it as UTF-8");
}

std::string at_line(const std::string& path, u32 line) {
  return path + ": line " + std::to_string(line) + ": ";
}

void ByteReader::refuse_end(u64 count, u64 size, std::string_view what) const {
  fail("the file is cut off: " + std::to_string(count) + " " + std::string(what) + " of at least " +
       std::to_string(size) + (size == 1 ? " byte" : " bytes") + " don't fit into the " +
       std::to_string(left()) + " that are left" + letters_of(std::max(count, size)));
}

std::string ByteReader::letters_of(u64 number) const {
  const auto is_letter = [](u8 c) { return c >= ' ' && c <= '~'; };
  for (const std::size_t back : {std::size_t{4}, std::size_t{8}}) {
    if (at_ < back) continue;
    const u8* const last = bytes_.data() + at_ - back;
    if (!std::all_of(last, last + 4, is_letter)) continue;
    if (number_at<u32>(last) == number || number_at<u32>(last, ByteOrder::big) == number)
      return "; that number is the text " + quoted_name({reinterpret_cast<const char*>(last), 4}) +
             " in the file";
  }
  return {};
}

void report(const std::string& file, std::initializer_list<TallyText> tallies,
            std::vector<std::string>& warnings) {
  for (const auto& [tally, what] : tallies)
    if (tally.count != 0) warnings.push_back(file + ": " + tally.in_words(what));
}

}  // namespace ballotcast::detail
