// Parses OBJ text: the content of the file as it is, without judging it.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// The index of a corner's attribute if the file gives none.
inline constexpr i32 kAbsent = -1;

/// The index of a corner's attribute if the file gives an invalid one: 0, one that counts back to
/// before the first element, one of more than 9 digits, or no number.
inline constexpr i32 kInvalid = -2;

/// One corner of a face: indices from 0, or kAbsent or kInvalid. An index may lie past the end of
/// its array, because the file may be wrong or the element may come later.
struct ObjCorner {
  i32 position;
  i32 texcoord;
  i32 normal;
};

/// One `f` line. Its corners are corners[first_corner .. first_corner + corner_count) of ObjText.
struct ObjFace {
  u32 first_corner;
  u32 corner_count;
  u32 line;      // line number in the file, from 1
  u32 material;  // index into ObjText::material_names
};

/// One `mtllib` line.
struct ObjLibrary {
  std::string names;  // the rest of the line: one or several file names
  u32 line;
};

/// The content of an OBJ file. Coordinates may be NaN or infinite.
struct ObjText {
  std::vector<dvec3> positions;
  std::vector<dvec3> normals;
  std::vector<vec2> texcoords;
  std::vector<ObjCorner> corners;
  std::vector<ObjFace> faces;
  // The names of `usemtl` lines. [0] is "", for faces before the first `usemtl`.
  std::vector<std::string> material_names;
  std::vector<u32> material_lines;  // line number of the first `usemtl` with that name
  std::vector<ObjLibrary> libraries;
  LineTally no_numbers;        // lines with coordinates that are not numbers; they become NaN
  LineTally too_few;           // lines with missing coordinates; they become 0
  LineTally lines_and_points;  // `l` and `p` lines
  LineTally curves;            // lines of free-form curves and surfaces
  LineTally commands;          // `call` and `csh` lines
  LineTally unknown;           // lines with an unknown keyword
};

/// Parses OBJ text. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text
/// and for more than 2^32 face corners.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
