// Parses MTL text: the content of the file as it is, without judging it.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// The largest emission that is used; larger values are reduced to it. It keeps sums of radiance
/// finite.
inline constexpr double kBrightest = 0x1p20;

/// One `map_` line.
struct MtlMap {
  std::string name;         // file name of the picture; "" if there is no such line
  u32 line = 0;             // line number in the file, from 1
  vec2 scale{1.0f};         // -s: factor on texture coordinates ...
  vec2 offset{0.0f};        // -o: ... and offset added to them
  bool clamps = false;      // -clamp on
  std::string not_honored;  // options that have no effect here, e.g. "-t -mm"
};

/// One `newmtl` block.
struct MtlMaterial {
  std::string name;
  u32 line = 0;            // line number of its newmtl, from 1
  bool has_color = false;  // true if there was a Kd line
  dvec3 color{0.0};        // Kd
  dvec3 emission{0.0};     // Ke
  double opacity = 1.0;    // d, else 1 - Tr
  u32 opacity_line = 0;    // line of that d or Tr
  MtlMap color_map;        // map_Kd
  MtlMap opacity_map;      // map_d
};

/// The content of an MTL file. Its numbers are finite, and its colours are not negative.
struct MtlText {
  std::vector<MtlMaterial> materials;
  LineTally unusable;          // Kd, Ke, d and Tr lines that were left out: unusable values
  LineTally above_one;         // Kd, d and Tr above 1, which are used as 1
  LineTally too_bright;        // Ke above kBrightest
  LineTally nowhere;           // lines that affect the picture, but come before the first newmtl
  LineTally halos;             // d -halo: opacity that depends on the viewing angle; not supported
  LineTally unnamed;           // map_Kd and map_d lines without a file name
  bool says_anything = false;  // true if there is a line other than comments
  std::vector<std::string> other_pictures;  // of lines without effect here: bump, map_Ks
};

/// The names of all pictures in an MTL file.
std::vector<std::string> pictures_of(const MtlText& text);

/// Parses MTL text. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text.
MtlText parse_mtl(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
