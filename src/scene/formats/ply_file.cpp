#include "scene/formats/ply_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> kTypes = {
    {{"char", PlyType::int8},
     {"int8", PlyType::int8},
     {"uchar", PlyType::uint8},
     {"uint8", PlyType::uint8},
     {"short", PlyType::int16},
     {"int16", PlyType::int16},
     {"ushort", PlyType::uint16},
     {"uint16", PlyType::uint16},
     {"int", PlyType::int32},
     {"int32", PlyType::int32},
     {"uint", PlyType::uint32},
     {"uint32", PlyType::uint32},
     {"float", PlyType::float32},
     {"float32", PlyType::float32},
     {"double", PlyType::float64},
     {"float64", PlyType::float64}}};

constexpr std::array<std::pair<std::string_view, PlyEncoding>, 3> kEncodings = {
    {{"ascii", PlyEncoding::ascii},
     {"binary_little_endian", PlyEncoding::little},
     {"binary_big_endian", PlyEncoding::big}}};

/// The value of `word` in a table, or nothing.
template <class Table>
auto named(const Table& table, std::string_view word) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const auto& r) { return r.first == word; });
  return row == table.end() ? std::nullopt : std::optional(row->second);
}

// Largest number of elements of a file, and of properties of an element. Real files have few.
constexpr std::size_t kMostEntries = 256;

class PlyHeaderParser {
 public:
  PlyHeaderParser(Lines& lines, const std::vector<u8>& bytes, const std::string& path)
      : lines_(lines), bytes_(bytes), path_(path) {}

  PlyHeader parse() {
    if (!lines_.next() || lowered(std::string(trimmed(lines_.line().substr(0, 80)))) != "ply")
      refuse_lookalike(path_, "a PLY file", bytes_);
    bool has_format = false;
    for (;;) {
      if (!lines_.next())
        throw InputError(path_ + ": the header has no line \"end_header\", so the file is cut off");
      std::string_view rest = lines_.line();
      const std::string_view word = next_word(rest);
      if (word == "end_header") break;
      if (word == "format")
        read_format(rest), has_format = true;
      else if (word == "element")
        read_element(rest);
      else if (word == "property")
        read_property(rest);
      else if (word == "comment")
        read_comment(rest);
      else if (word != "obj_info" && !word.empty())
        fail("unknown word " + quoted_name(word) + " in the header");
    }
    if (!has_format) fail("the header has no line \"format\"");
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(at_line(path_, lines_.number()) + why);
  }

  void read_format(std::string_view rest) {
    const std::string_view word = next_word(rest), version = next_word(rest);
    const auto encoding = named(kEncodings, word);
    if (!encoding)
      fail("unknown format " + quoted_name(word) +
           "; known are ascii, binary_little_endian and binary_big_endian");
    if (version != "1.0") fail("unknown version " + quoted_name(version) + "; known is 1.0");
    header_.encoding = *encoding;
  }

  void read_element(std::string_view rest) {
    const std::string_view name = next_word(rest), count = next_word(rest);
    const std::optional<u64> number = parsed<u64>(count);
    if (name.empty() || !number) fail("an element needs a name and a number");
    PlyElement element{std::string(name), *number, {}};
    if (name == "vertex" && header_.find(name)) fail("element \"vertex\" is there twice");
    if (header_.elements.size() == kMostEntries) fail("too many elements");
    header_.elements.push_back(std::move(element));
  }

  PlyType type_of(std::string_view word) const {
    const auto type = named(kTypes, word);
    if (!type) fail("unknown type " + quoted_name(word));
    return *type;
  }

  void read_property(std::string_view rest) {
    if (header_.elements.empty()) fail("a property before the first element");
    PlyElement& element = header_.elements.back();
    std::string_view word = next_word(rest);
    PlyProperty property{};
    if (word == "list") {
      property.count_type = type_of(next_word(rest));
      if (*property.count_type >= PlyType::float32) fail("the length of a list must be an integer");
      word = next_word(rest);
    }
    property.type = type_of(word);
    property.name = next_word(rest);
    if (property.name.empty()) fail("a property without a name");
    if (element.find(property.name) >= 0)
      fail("property " + quoted_name(property.name) + " is there twice");
    if (element.properties.size() == kMostEntries) fail("too many properties");
    element.properties.push_back(std::move(property));
  }

  void read_comment(std::string_view rest) {
    if (next_word(rest) != "TextureFile" || !header_.texture.empty()) return;
    header_.texture = trimmed(rest);
    header_.texture_line = lines_.number();
  }

  Lines& lines_;
  const std::vector<u8>& bytes_;
  const std::string& path_;
  PlyHeader header_;
};

}  // namespace

u32 size_of(PlyType type) {
  constexpr std::array<u32, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

int PlyElement::find(std::string_view wanted) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == wanted) return static_cast<int>(i);
  return -1;
}

u64 PlyElement::smallest_size() const {
  u64 size = 0;
  for (const PlyProperty& property : properties)
    size += size_of(property.count_type.value_or(property.type));
  return size;
}

const PlyElement* PlyHeader::find(std::string_view name) const {
  const auto found = std::find_if(elements.begin(), elements.end(),
                                  [&](const PlyElement& element) { return element.name == name; });
  return found == elements.end() ? nullptr : &*found;
}

namespace {

/// The number of bytes of the rows of a binary file, which begin at byte `at`; nothing if they
/// don't fit into the file.
std::optional<u64> size_of_rows(const PlyHeader& header, const std::vector<u8>& bytes,
                                std::size_t at) {
  try {
    PlyBinaryRows rows(ByteReader(bytes, "", at),
                       header.encoding == PlyEncoding::big ? ByteOrder::big : ByteOrder::little,
                       "");
    for (const PlyElement& element : header.elements)
      if (!element.properties.empty()) skip_element(rows, element);
    return rows.at() - at;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The number of bytes of the line end that ends the header. The data may begin with a byte that
/// looks like a line end, so after \r it is not clear whether a \n belongs to the line end.
std::size_t length_of_end(const PlyHeader& header, const std::vector<u8>& bytes, std::size_t at) {
  const auto is = [&](std::size_t i, u8 c) { return i < bytes.size() && bytes[i] == c; };
  if (!is(at, '\r') || !is(at + 1, '\n')) return at < bytes.size() ? 1 : 0;
  const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  if (header.encoding == PlyEncoding::ascii || std::find(bytes.begin(), end, '\n') != end) return 2;
  // All earlier lines end with \r. The right length is the one with which the rows fill the file
  // exactly.
  return size_of_rows(header, bytes, at + 1) == bytes.size() - at - 1 ? 1 : 2;
}

}  // namespace

PlyHeader parse_ply_header(Lines& lines, const std::vector<u8>& text, const std::string& path) {
  PlyHeader header = PlyHeaderParser(lines, text, path).parse();
  const std::string_view line = lines.line();
  const std::size_t line_end =
      static_cast<std::size_t>(reinterpret_cast<const u8*>(line.data()) - text.data()) +
      line.size();
  header.bytes = line_end + length_of_end(header, text, line_end);
  return header;
}

}  // namespace ballotcast::detail
