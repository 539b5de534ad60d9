// PLY files (G. Turk, The PLY Polygon File Format, 1994): their header, and their rows; there is a
// row for each vertex, face and so on.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "scene/formats/readers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

/// The type of a number in a PLY file.
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// The size of a number in binary files, in bytes.
u32 size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type;
  std::optional<PlyType> count_type;  // set for lists: the type of the count before each list
};

struct PlyElement {
  std::string name;
  u64 count;
  std::vector<PlyProperty> properties;

  /// The index of the property called `name`, or -1.
  int find(std::string_view wanted) const;
  /// The smallest size of an element in a binary file, in bytes.
  u64 smallest_size() const;
};

enum class PlyEncoding { ascii, little, big };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::string texture;    // the file in a line "comment TextureFile", or ""
  u32 texture_line = 0;   // the number of this line
  std::size_t bytes = 0;  // the length of the header in bytes

  /// The first element called `name`, or null.
  const PlyElement* find(std::string_view name) const;
};

/// Parses the header. Afterwards `lines` is at the last line of the header. `text` is the whole
/// file. Throws InputError, which names `path` and the line, if the header is invalid or cut off.
PlyHeader parse_ply_header(Lines& lines, const std::vector<u8>& text, const std::string& path);

/// The rows of a text file, one per line. PlyBinaryRows has the same members, so that one loader
/// can read both.
class PlyTextRows {
 public:
  static constexpr const char* kPlace = "line";

  /// `lines` must be at the last line of the header.
  PlyTextRows(Lines& lines, std::string path, u64 bytes_left)
      : lines_(lines), path_(std::move(path)), bytes_left_(bytes_left) {}

  /// Throws InputError if the rows of `element` can't all fit into the file.
  void require(const PlyElement& element) const {
    // Each number has at least a digit and a blank.
    if (element.count > bytes_left_ / (2 * element.properties.size()) + 1)
      throw InputError(path_ + ": the header states " + std::to_string(element.count) +
                       " of element " + quoted_name(element.name) +
                       ", which don't fit into the file");
  }
  /// Moves to the next row.
  void begin(const PlyElement& element, u64 index) {
    do {
      if (!lines_.next())
        throw InputError(path_ + ": the file is cut off: it has " + std::to_string(index) + " of " +
                         std::to_string(element.count) + " of element " +
                         quoted_name(element.name));
      rest_ = trimmed(lines_.line());
    } while (rest_.empty());
  }
  /// Ends the row. Counts the row if it has more numbers than the header states.
  void end() {
    if (!trimmed(rest_).empty()) too_many.note(lines_.number());
  }
  u64 place() const { return lines_.number(); }
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(at_line(path_, lines_.number()) + why);
  }
  /// Parses the next number of the row; NaN for a word that is not a number.
  double number(PlyType) {
    const std::string_view word = next_word(rest_);
    if (word.empty()) fail("the line has fewer numbers than the header states");
    if (const auto value = number_of(word)) return *value;
    no_numbers.note(lines_.number());
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// Throws InputError if `count` numbers can't fit into the rest of the row.
  void require_numbers(u64 count, PlyType) const {
    if (count > rest_.size()) fail("the list is longer than the line");
  }
  /// The text after the last row, for a warning; "" if there is none.
  std::string rest() {
    while (lines_.next())
      if (!trimmed(lines_.line()).empty())
        return at_line(path_, lines_.number()) + "lines behind the last element, ignored";
    return {};
  }

  LineTally too_many;    // lines with more numbers than the header states
  LineTally no_numbers;  // lines with words that are not numbers; they become NaN

 private:
  Lines& lines_;
  std::string path_;
  std::string_view rest_;
  u64 bytes_left_;
};

/// The rows of a binary file.
class PlyBinaryRows {
 public:
  static constexpr const char* kPlace = "byte";

  PlyBinaryRows(ByteReader reader, ByteOrder order, std::string path)
      : reader_(std::move(reader)), order_(order), path_(std::move(path)) {}

  void require(const PlyElement& element) const {
    reader_.require(element.count, element.smallest_size(),
                    "of element " + quoted_name(element.name));
  }
  void begin(const PlyElement&, u64) { place_ = reader_.at(); }
  void end() {}
  u64 place() const { return place_; }
  [[noreturn]] void fail(const std::string& why) const { reader_.fail(why); }
  double number(PlyType type) {
    reader_.require(1, size_of(type), "number");
    switch (type) {
      case PlyType::int8:
        return reader_.next<std::int8_t>();
      case PlyType::uint8:
        return reader_.next<u8>();
      case PlyType::int16:
        return reader_.next<std::int16_t>(order_);
      case PlyType::uint16:
        return reader_.next<std::uint16_t>(order_);
      case PlyType::int32:
        return reader_.next<i32>(order_);
      case PlyType::uint32:
        return reader_.next<u32>(order_);
      case PlyType::float32:
        return double{reader_.next<float>(order_)};
      case PlyType::float64:
        return reader_.next<double>(order_);
    }
    return 0.0;
  }
  void require_numbers(u64 count, PlyType type) const {
    reader_.require(count, size_of(type), "numbers of a list");
  }
  std::size_t at() const { return reader_.at(); }
  std::string rest() const {
    if (reader_.left() == 0) return {};
    return path_ + ": byte " + std::to_string(reader_.at()) + ": " +
           counted(reader_.left(), "byte") + " behind the last element, ignored";
  }

  LineTally too_many, no_numbers;  // always 0

 private:
  ByteReader reader_;
  ByteOrder order_;
  std::string path_;
  u64 place_ = 0;
};

/// Reads the number of items of a list. Throws InputError unless they fit into the file.
template <class Rows>
u64 length_of_list(Rows& rows, const PlyProperty& property) {
  const double length = rows.number(*property.count_type);
  if (!(length >= 0.0 && length == std::floor(length) && length < 4294967296.0))
    rows.fail("the length of a list is not a number of at least 0");
  const u64 count = static_cast<u64>(length);
  rows.require_numbers(count, property.type);
  return count;
}

/// Skips the values of a property in the current row.
template <class Rows>
void skip_property(Rows& rows, const PlyProperty& property) {
  const u64 count = property.count_type ? length_of_list(rows, property) : 1;
  for (u64 i = 0; i < count; ++i) rows.number(property.type);
}

/// Skips all rows of an element.
template <class Rows>
void skip_element(Rows& rows, const PlyElement& element) {
  rows.require(element);
  for (u64 i = 0; i < element.count; ++i) {
    rows.begin(element, i);
    for (const PlyProperty& property : element.properties) skip_property(rows, property);
    rows.end();
  }
}

}  // namespace ballotcast::detail
