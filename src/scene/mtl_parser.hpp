// MTL text as it stands in the file, before anyone judges it.
#pragma once

#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// The most that emission is taken as by whoever draws: keeps sums of radiance finite.
inline constexpr double kBrightest = 0x1p20;

/// A `map_` line.
struct MtlMap {
  std::string name;         // of the picture's file; "" where there is no such line
  u32 line = 0;             // in the file, from 1
  vec2 scale{1.0f};         // -s: texture coordinates are multiplied by it ...
  vec2 offset{0.0f};        // -o: ... and this is added
  bool clamps = false;      // -clamp on
  std::string not_honored;  // options that are not drawn, "-t -mm"
};

/// One `newmtl` block.
struct MtlMaterial {
  std::string name;
  u32 line = 0;            // of its newmtl, from 1
  bool has_color = false;  // was there a Kd?
  dvec3 color{0.0};        // Kd
  dvec3 emission{0.0};     // Ke
  double opacity = 1.0;    // d, else 1 - Tr
  u32 opacity_line = 0;    // of that d or Tr
  MtlMap color_map;        // map_Kd
  MtlMap opacity_map;      // map_d
};

/// The content of an MTL file. Numbers are finite; colours are no less than 0.
struct MtlText {
  std::vector<MtlMaterial> materials;
  LineTally unusable;          // left out: Kd, Ke, d and Tr of anything else
  LineTally above_one;         // taken as 1 by whoever draws: Kd, d, Tr
  LineTally too_bright;        // Ke above kBrightest
  LineTally nowhere;           // lines that would say something, before the first newmtl
  LineTally halos;             // d -halo, which fades with the angle of view and isn't drawn
  LineTally unnamed;           // map_ lines without a name
  bool says_anything = false;  // is there a line that is no comment?
  std::vector<std::string> other_pictures;  // that lines name which nothing is drawn of: bump, Ks
};

/// The names of all pictures in an MTL file.
std::vector<std::string> pictures_of(const MtlText& text);

/// Splits MTL text. Reads any bytes; throws InputError, naming `name`, only for text in UTF-16.
MtlText parse_mtl(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
