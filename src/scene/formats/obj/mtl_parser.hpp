// Parses MTL text: the content of the file as it is, without judging it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/formats/readers.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// One `map_` line.
struct MtlMap {
  std::string name;         // file name of the picture; "" if there is no such line
  u32 line = 0;             // line number in the file, from 1
  vec2 scale{1.0f};         // -s: factor on texture coordinates ...
  vec2 offset{0.0f};        // -o: ... and offset added to them
  bool clamps = false;      // -clamp on
  float bumpiness = 1.0f;   // -bm
  std::string not_honored;  // options that have no effect here, e.g. "-t -mm"
};

/// One `newmtl` block.
struct MtlMaterial {
  std::string name;
  u32 line = 0;                        // line number of its newmtl, from 1
  bool has_color = false;              // true if there was a Kd line
  dvec3 color{0.0};                    // Kd
  dvec3 emission{0.0};                 // Ke
  double opacity = 1.0;                // d, else 1 - Tr
  u32 opacity_line = 0;                // line of that d or Tr
  std::optional<dvec3> specular;       // Ks
  std::optional<double> exponent;      // Ns
  std::optional<double> roughness;     // Pr
  std::optional<double> metallic;      // Pm
  std::optional<double> refraction;    // Ni
  std::optional<dvec3> transmitted;    // Tf
  std::optional<double> illumination;  // illum, the number of a shading model
  MtlMap color_map;                    // map_Kd
  MtlMap emission_map;                 // map_Ke
  MtlMap opacity_map;                  // map_d
  MtlMap specular_map;                 // map_Ks
  MtlMap exponent_map;                 // map_Ns
  MtlMap roughness_map;                // map_Pr
  MtlMap metallic_map;                 // map_Pm
  MtlMap bump_map;                     // map_bump or bump: heights, or normals
  MtlMap normal_map;                   // norm, map_Kn
};

/// The maps of a material, each with its key in MTL.
struct NamedMtlMap {
  const char* key;
  MtlMap MtlMaterial::*map;
};
inline constexpr std::array<NamedMtlMap, 9> kMtlMaps = {{{"map_Kd", &MtlMaterial::color_map},
                                                         {"map_Ke", &MtlMaterial::emission_map},
                                                         {"map_d", &MtlMaterial::opacity_map},
                                                         {"map_Ks", &MtlMaterial::specular_map},
                                                         {"map_Ns", &MtlMaterial::exponent_map},
                                                         {"map_Pr", &MtlMaterial::roughness_map},
                                                         {"map_Pm", &MtlMaterial::metallic_map},
                                                         {"map_bump", &MtlMaterial::bump_map},
                                                         {"norm", &MtlMaterial::normal_map}}};

/// The content of an MTL file. Its numbers are finite, and its colours are not negative.
struct MtlText {
  std::vector<MtlMaterial> materials;
  LineTally unusable;          // lines that were left out: unusable values
  LineTally above_one;         // values above 1 where 1 is the most, which are used as 1
  LineTally too_bright;        // Ke above kBrightest
  LineTally nowhere;           // lines that affect the picture, but come before the first newmtl
  LineTally halos;             // d -halo: opacity that depends on the viewing angle; not supported
  LineTally unnamed;           // lines of textures without a file name
  bool says_anything = false;  // true if there is a line other than comments
  std::vector<std::string> other_pictures;  // of lines without effect here: disp, refl
};

/// The names of all pictures in an MTL file.
std::vector<std::string> pictures_of(const MtlText& text);

/// Parses MTL text. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text.
MtlText parse_mtl(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
