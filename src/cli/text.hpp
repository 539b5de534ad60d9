// Text for people: wrapped, aligned, counted.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast {

/// Columns that help and tables keep to.
inline constexpr std::size_t kTextWidth = 80;

/// `term` at column 2, then `text` from column `column` on, broken at blanks before kTextWidth; a
/// term too long for its column gets a line to itself. Ends with a line end.
std::string entry(std::string_view term, std::string_view text, std::size_t column);

/// Entries aligned to the longest term.
std::string entries(const std::vector<std::pair<std::string, std::string>>& rows);

/// 1234567 as "1,234,567".
std::string grouped(u64 number);

/// `number` with one digit behind the point and a prefix: 12.3 M for 12345678.
std::string prefixed(double number);

/// A number of bytes in words: "12.3 MiB".
std::string bytes_in_words(u64 bytes);

/// A time in words: "830 ms", "1.2 s", "3 min 20 s".
std::string time_in_words(double milliseconds);

/// `number` with `digits` digits behind the point.
std::string fixed(double number, int digits);

/// "1 sample", "16 samples".
std::string counted(u64 number, const std::string& noun);

/// The one of `names` that `typed` was probably meant to be, or "".
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace ballotcast
