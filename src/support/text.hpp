// Text for people: wrapped, aligned, counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballotcast::detail {

/// Columns that help and tables keep to.
inline constexpr std::size_t kTextWidth = 80;

/// `term` at column 2, then `text` from column `column` on, broken at blanks before kTextWidth; a
/// term too long for its column gets a line to itself. Ends with a line end.
std::string entry(std::string_view term, std::string_view text, std::size_t column);

/// `text` broken at blanks before kTextWidth, every line indented by `indent` columns; a word that
/// is wider has a line to itself. Each line ends with a line end.
std::string wrapped(std::string_view text, std::size_t indent);

/// How many columns UTF-8 `text` takes on a terminal, one a code point.
std::size_t columns_of(std::string_view text);

/// Entries aligned to the longest term.
std::string entries(const std::vector<std::pair<std::string, std::string>>& rows);

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

/// `number` with one digit behind the point and a prefix: 12.3 M for 12345678.
std::string prefixed(double number);

/// A number of bytes in words: "12.3 MiB".
std::string bytes_in_words(std::uint64_t bytes);

/// A time in words: "830 ms", "1.2 s", "3 min 20 s".
std::string time_in_words(double milliseconds);

/// `number` with `digits` digits behind the point.
std::string fixed(double number, int digits);

/// "1 sample", "16 samples".
std::string counted(std::uint64_t number, const std::string& noun);

/// A name from a file, in quotation marks for messages: control characters as \x1b, long ones
/// shortened.
std::string quoted_name(std::string_view name);

/// The one of `names` that `typed` was probably meant to be, or "".
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace ballotcast::detail
