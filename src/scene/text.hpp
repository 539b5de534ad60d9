// Words, numbers and lines, as OBJ and MTL files see them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Is it a space, a tab, or part of a line end?
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// `text` without the quotation marks around it.
std::string_view unquoted(std::string_view text);

/// Takes the blanks and the word at the front off `text`; the word is "" where there is none.
std::string_view next_word(std::string_view& text);

/// `text` with small letters for A to Z.
std::string lowered(std::string text);

/// The number that all of `word` is: correctly rounded and the same on every machine and in every
/// locale. Too small ones are 0, too large ones infinite; "nan" and "inf" are numbers, and the
/// 1.#QNAN and 1.#INF of old C libraries.
std::optional<double> number_of(std::string_view word);

/// The lines of a text, whichever of \n, \r\n and \r ends them.
class Lines {
 public:
  /// `text` must outlive this; a byte order mark of UTF-8 is skipped.
  explicit Lines(std::vector<u8>& text);

  /// Goes on to the next line; false where there is none.
  bool next();
  /// The line, without its end.
  std::string_view line() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  /// Its number, from 1.
  u32 number() const { return number_; }
  /// Where the line ends in a backslash, joins the next one to it, and so on. Blanks take the place
  /// of backslashes and line ends in the text.
  void join_continued();

 private:
  char* begin_ = nullptr;
  char* end_ = nullptr;
  char* rest_;
  char* stop_;
  u32 number_ = 0;  // of the line
  u32 passed_ = 0;  // line ends
};

/// Throws InputError, beginning with `name`, when the bytes are text in UTF-16.
void require_bytewise(const std::vector<u8>& text, const std::string& name);

/// "PATH: line 7: "
std::string at_line(const std::string& path, u32 line);

/// Counts one kind of thing that lines have wrong, and remembers the first.
struct LineTally {
  u64 count = 0;
  u32 first = 0;

  void note(u32 line) {
    if (count++ == 0) first = line;
  }
  /// "WHAT: 3 (first: line 7)"
  std::string in_words(const std::string& what) const {
    return what + ": " + std::to_string(count) + " (first: line " + std::to_string(first) + ")";
  }
};

/// A tally and what is said of its lines.
using ToldTally = std::pair<const LineTally&, const char*>;

/// Adds a warning about `file` for each tally that counted any line.
void report(const std::string& file, std::initializer_list<ToldTally> tallies,
            std::vector<std::string>& warnings);

}  // namespace ballotcast::detail
