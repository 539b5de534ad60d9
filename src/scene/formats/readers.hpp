// Functions for loaders of mesh files: they read words, numbers and lines of a text, and numbers
// from bytes, and never read beyond the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballotcast/error.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// True for a space, a tab, or part of a line end.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// `text` without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

/// `text` without surrounding quotation marks.
std::string_view unquoted(std::string_view text);

/// Removes leading blanks and the first word from `text` and returns the word; "" if there is none.
inline std::string_view next_word(std::string_view& text) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  while (begin != end && is_blank(*begin)) ++begin;
  const char* stop = begin;
  while (stop != end && !is_blank(*stop)) ++stop;
  text = {stop, static_cast<std::size_t>(end - stop)};
  return {begin, static_cast<std::size_t>(stop - begin)};
}

/// Parses `word` as a decimal number. All of the word, or all before a #, must be a number. The
/// value is correctly rounded and the same on every computer and in every locale. Numbers that are
/// too small become 0, and numbers that are too large become infinite. "nan" and "inf" count as
/// numbers, and so do 1.#QNAN and -1.#INF, which old C libraries print.
std::optional<double> number_of(std::string_view word);

/// `text` without a UTF-8 byte order mark.
std::string_view without_mark(std::string_view text);

/// The lines of a text. A line ends with \n, \r\n or \r.
class Lines {
 public:
  /// `text` must outlive this object. A UTF-8 byte order mark is skipped.
  explicit Lines(const std::vector<u8>& text);
  /// `text` is a part of a longer text, in which `lines_before` line ends come before it. Its
  /// memory must outlive this object.
  Lines(std::string_view text, u32 lines_before);

  /// Moves to the next line. Returns false if there is no next line.
  bool next();
  /// The line, without its line end. If it was joined, it is valid until the next call of a
  /// function that is not const.
  std::string_view line() const { return line_; }
  /// The line's number, from 1.
  u32 number() const { return number_; }
  /// The number of line ends before the current position, including `lines_before`.
  u32 passed() const { return passed_; }
  /// If the line ends with a backslash, joins the next line to it, and so on. Backslashes and line
  /// ends become blanks. The line keeps its number.
  void join_continued();

 private:
  const char* rest_;
  const char* stop_;
  // The next \n and the next \r from `rest_` on, or `stop_`. They are stored, so that a text with
  // only one of them is not searched for the other at each line.
  const char* next_n_;
  const char* next_r_;
  std::string_view line_;
  std::string joined_;  // the line, if it consists of several
  u32 number_ = 0;      // number of the current line
  u32 passed_ = 0;      // number of line ends passed
};

/// Throws InputError, with a text that begins with `name`, if the text is UTF-16.
void require_bytewise(std::span<const u8> text, const std::string& name);

/// The beginning of a message: "PATH: line 7: ".
std::string at_line(const std::string& path, u32 line);

/// Counts the lines with one kind of defect and remembers the first.
struct LineTally {
  u64 count = 0;
  u32 first = 0;

  void note(u32 line) {
    if (count++ == 0) first = line;
  }
  /// Adds the lines of a later part of the text.
  void add(const LineTally& later) {
    if (count == 0) first = later.first;
    count += later.count;
  }
  /// The tally as text: "WHAT: 3 (first: line 7)".
  std::string in_words(const std::string& what) const {
    return what + ": " + std::to_string(count) + " (first: line " + std::to_string(first) + ")";
  }
};

/// A tally, and the text of the warning about its lines.
using TallyText = std::pair<const LineTally&, const char*>;

/// Adds a warning about `file` for each tally that is not 0.
void report(const std::string& file, std::initializer_list<TallyText> tallies,
            std::vector<std::string>& warnings);

static_assert(std::endian::native == std::endian::little);

/// The order of the bytes of a number.
enum class ByteOrder { little, big };

/// Reads a number from the bytes at `bytes`. There must be sizeof(Number) bytes.
template <class Number>
Number number_at(const u8* bytes, ByteOrder order = ByteOrder::little) {
  std::array<u8, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, sizeof(Number));
  if (order == ByteOrder::big) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<Number>(copy);
}

/// Reads numbers from a file, from its begin to its end. Errors name the file and the byte.
class ByteReader {
 public:
  /// `bytes` must outlive this object. Reading starts at byte `at`, which must not be beyond the
  /// end.
  ByteReader(std::span<const u8> bytes, std::string path, std::size_t at = 0)
      : bytes_(bytes), path_(std::move(path)), at_(at) {}

  std::size_t at() const { return at_; }
  u64 left() const { return bytes_.size() - at_; }

  /// Throws InputError unless `count` items of `size` bytes each are left. `what` is the name of
  /// the items in the message.
  void require(u64 count, u64 size, std::string_view what) const {
    // Most calls are for a single number, and a division would take as long as reading it.
    if (count == 1 ? size > left() : size != 0 && count > left() / size)
      refuse_end(count, size, what);
  }
  /// Throws InputError with the text FILE: byte N: `why`.
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(path_ + ": byte " + std::to_string(at_) + ": " + why);
  }

  /// Reads the next number. `require` must have been called before.
  template <class Number>
  Number next(ByteOrder order = ByteOrder::little) {
    const Number number = number_at<Number>(bytes_.data() + at_, order);
    at_ += sizeof(Number);
    return number;
  }
  void skip(u64 count) { at_ += count; }

 private:
  [[noreturn]] void refuse_end(u64 count, u64 size, std::string_view what) const;
  /// Returns a note for messages if the bytes of a number that was just read are letters, because
  /// then the file probably has another format.
  std::string letters_of(u64 number) const;

  std::span<const u8> bytes_;
  std::string path_;
  std::size_t at_;
};

}  // namespace ballotcast::detail
