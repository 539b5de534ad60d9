// OBJ text as it stands in the file, before anyone judges it.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// The index of a corner's attribute that the file does not give.
inline constexpr i32 kAbsent = -1;

/// The index of a corner's attribute that the file gives wrongly: 0, before the first, more than 31
/// bits, or no number.
inline constexpr i32 kInvalid = -2;

/// One corner of a face: indices from 0, kAbsent or kInvalid. Indices past the end are possible:
/// the file may be wrong, or the vertex may come later.
struct ObjCorner {
  i32 position;
  i32 texcoord;
  i32 normal;
};

/// One `f` line: corners[first_corner ... first_corner + corner_count).
struct ObjFace {
  u32 first_corner;
  u32 corner_count;
  u32 line;      // in the file, from 1
  u32 material;  // index into ObjText::material_names
};

/// What a `mtllib` line says.
struct ObjLibrary {
  std::string names;  // the rest of the line
  u32 line;
};

/// The content of an OBJ file. Coordinates may be NaN or infinite.
struct ObjText {
  std::vector<dvec3> positions;
  std::vector<dvec3> normals;
  std::vector<vec2> texcoords;
  std::vector<ObjCorner> corners;
  std::vector<ObjFace> faces;
  std::vector<std::string> material_names;  // by `usemtl`; [0] is "", before the first of them
  std::vector<u32> material_lines;          // that name them first
  std::vector<ObjLibrary> libraries;
  LineTally no_numbers;        // where coordinates aren't numbers, and are NaN
  LineTally too_few;           // where coordinates are missing, and are 0
  LineTally lines_and_points;  // `l` and `p`
  LineTally curves;            // and surfaces
  LineTally commands;          // `call` and `csh`
  LineTally unknown;           // what is no OBJ
};

/// Splits OBJ text. Reads any bytes; throws InputError, naming `name`, only for text in UTF-16 and
/// when there is more than 32-bit counters hold.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
