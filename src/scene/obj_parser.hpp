// OBJ and MTL text as it stands in the files, before anyone judges it.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"

namespace ballotcast {

/// The index of a corner's attribute that the file does not give.
inline constexpr i32 kAbsent = -1;

/// The index of a corner's attribute that the file gives wrongly (0, or before the first).
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

/// The content of an OBJ file. Coordinates may be NaN or infinite.
struct ObjText {
  std::vector<dvec3> positions;
  std::vector<dvec3> normals;
  std::vector<vec2> texcoords;
  std::vector<ObjCorner> corners;
  std::vector<ObjFace> faces;
  std::vector<std::string> material_names;  // by `usemtl`; [0] is "", before the first of them
  std::vector<std::string> libraries;       // the rest of each `mtllib` line
  u64 lines_and_points = 0;                 // how many `l` and `p` elements there were
};

/// Splits OBJ text. Reads any bytes without failing; throws InputError, naming `name`, only when
/// there is more than 32-bit counters hold.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name);

/// One `newmtl` block.
struct ObjMaterial {
  std::string name;
  bool has_color = false;   // was there a Kd?
  dvec3 color{0.0};         // Kd
  dvec3 emission{0.0};      // Ke
  double opacity = 1.0;     // d, else 1 - Tr
  std::string color_map;    // map_Kd, options removed
  std::string opacity_map;  // map_d, options removed
};

/// Splits MTL text; reads any bytes without failing.
std::vector<ObjMaterial> parse_mtl(const std::vector<u8>& bytes);

}  // namespace ballotcast
