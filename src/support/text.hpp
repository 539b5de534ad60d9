// Formats text for people: wrapping, aligning, numbers in words, names in quotation marks, and
// texts of errors made safe to print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballotcast::detail {

/// The width of help texts and tables, in columns.
inline constexpr std::size_t kTextWidth = 80;

/// `term` at column 2, then `text` from column `column` on, wrapped at blanks to kTextWidth. A term
/// that is too long for its column gets a line of its own. The result ends with a line end.
std::string entry(std::string_view term, std::string_view text, std::size_t column);

/// `text` wrapped at blanks to kTextWidth, with every line indented by `indent` columns. A word
/// that is too wide gets a line of its own. Each line ends with a line end.
std::string wrapped(std::string_view text, std::size_t indent);

/// The number of columns that UTF-8 `text` takes on a terminal: one per code point.
std::size_t columns_of(std::string_view text);

/// Formats rows of (term, text). All texts begin at the same column: after the longest term, but at
/// most at half of kTextWidth.
std::string entries(const std::vector<std::pair<std::string, std::string>>& rows);

/// The number with thousands separators: "1,234,567".
std::string grouped(std::uint64_t number);

/// `number` with an SI prefix, so that a unit can follow: "12.3 M" for 12345678. Below 1000 it has
/// no decimals and no prefix: "12 ".
std::string prefixed(double number);

/// A number of bytes with its unit: "12.3 MiB".
std::string bytes_in_words(std::uint64_t bytes);

/// A time with its units: "830 ms", "1.2 s", "3 min 20 s".
std::string time_in_words(double milliseconds);

/// `number` with `digits` decimals.
std::string fixed(double number, int digits);

/// The number and its noun, in the singular or plural: "1 sample", "16 samples".
std::string counted(std::uint64_t number, const std::string& noun);

/// Makes one printable line of `text`: control characters become \x1b and the like, and long texts
/// are shortened. Error messages quote files, which may contain any bytes.
std::string one_line(const std::string& text);

/// Makes `text` of several lines safe for a terminal: control characters, except line ends and
/// tabs, become \x1b and the like.
std::string printable(const std::string& text);

/// A name from a file, in quotation marks, for messages. Control characters become \x1b and the
/// like; long names are shortened.
std::string quoted_name(std::string_view name);

/// Quotes `word` for a command that people paste into a shell. The word is put in single quotes if
/// the shell would otherwise not read it as one word.
std::string shell_quoted(const std::string& word);

/// The element of `names` that is most similar to `typed`, or "" if none is similar.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

/// `text` with the letters A to Z in lower case.
std::string lowered(std::string text);

/// The names in one text, with commas: "a, b, c".
std::string joined(const std::vector<std::string_view>& names);

}  // namespace ballotcast::detail
