// Parses the header of PLY files (G. Turk, The PLY Polygon File Format, 1994).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// The type of a number in a PLY file.
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

/// The size of a number in binary files, in bytes.
u32 size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type;
  std::optional<PlyType> count_type;  // set for lists: the type of the number before each list
};

struct PlyElement {
  std::string name;
  u64 count;
  std::vector<PlyProperty> properties;

  /// The index of the property called `name`, or -1.
  int find(std::string_view wanted) const;
  /// The smallest size that one such element can have in a binary file, in bytes.
  u64 smallest_size() const;
};

enum class PlyEncoding { ascii, little, big };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::string texture;    // the file that a line "comment TextureFile" names, or ""
  u32 texture_line = 0;   // and the number of that line
  std::size_t bytes = 0;  // the length of the header
};

/// Reads the header from `lines`, which then stands at its last line. `text` is what `lines` reads.
/// Throws InputError, which names `path` and the line.
PlyHeader parse_ply_header(Lines& lines, const std::vector<u8>& text, const std::string& path);

}  // namespace ballotcast::detail
