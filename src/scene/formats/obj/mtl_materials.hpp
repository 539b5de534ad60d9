// MTL files: their content as written (mtl_parser.cpp), and its interpretation (mtl_materials.cpp):
// surfaces, textures, and warnings about materials that are invisible because they are cut out
// everywhere.
#pragma once

#include <array>
#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/formats/readers.hpp"
#include "scene/formats/textures.hpp"
#include "scene/scene_data.hpp"
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
  std::string not_honored;  // options that are not supported, e.g. "-t -mm"
};

/// One `newmtl` block.
struct MtlMaterial {
  std::string name;
  u32 line = 0;                        // line number of its newmtl, from 1
  bool has_color = false;              // true if there was a Kd line
  dvec3 color{0.0};                    // Kd
  dvec3 emission{0.0};                 // Ke
  double opacity = 1.0;                // d, else 1 - Tr
  u32 opacity_line = 0;                // line number of `d` or `Tr`
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
  LineTally unusable;    // lines that were ignored because of unusable values
  LineTally above_one;   // values above 1 where 1 is the maximum; they become 1
  LineTally too_bright;  // Ke above kBrightest
  LineTally nowhere;     // lines that affect the picture, but come before the first newmtl
  LineTally halos;       // `d -halo`: opacity that depends on the viewing angle; not supported
  LineTally unnamed;     // lines of textures without a file name
  bool says_anything = false;  // true if there is a line other than comments
  // Pictures in lines that have no effect here: disp, refl
  std::vector<std::string> other_pictures;
};

/// The names of all pictures in an MTL file.
std::vector<std::string> pictures_of(const MtlText& text);

/// Parses MTL text. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text.
MtlText parse_mtl(std::vector<u8> bytes, const std::string& name);

/// Converts a material without its textures. Its meaning depends on `illum` and on which lines
/// there are:
///
///   Pr, Pm or their maps   a surface with a coat of reflectance 0.04, or a metal
///   illum 0, 1             no coat
///   illum 2                a coat of 0.08 Ks, because exporters write Ks 0.5 for plastic
///   illum 4, 6, 7, 9       glass, if Ni is above 1 or d below 1; for illum 4 and 9 a thin pane
///   else                   a coat of Ks: a mirror if Ks is white
///
/// A map replaces the number of its key. Maps that can't be used must be removed from `from`.
Material surface_of(const MtlMaterial& from);

/// True if the material has Pr, Pm or one of their maps.
bool is_measured(const MtlMaterial& m);

/// A `map_` line, and the file that contains it.
struct MapLine {
  const std::filesystem::path& file;
  const MtlMap& map;

  std::string place() const { return at_line(file.string(), map.line); }
};

/// How a picture is converted to a texture.
enum class TextureUse { as_is, opacity, bumps, exponent };

/// Loads the textures of a scene. Each file is decoded once for each use.
class MtlTextures {
 public:
  MtlTextures(std::filesystem::path obj_directory, SceneData& scene)
      : obj_directory_(std::move(obj_directory)), scene_(scene) {}

  /// The path of the picture that the material file `file` calls `name`. It is looked up beside
  /// that file, then beside the object file. Each name is looked up only once, because this takes
  /// time.
  const std::optional<std::filesystem::path>& path_of(const std::filesystem::path& file,
                                                      const std::string& name);

  /// Records that the picture of a line will be needed. Returns false if there is no such file.
  bool want(const MapLine& from);
  /// Decodes all wanted pictures, on all threads.
  void read_ahead();

  /// The index of the texture that `from` names, converted for `use`. Returns kNoTexture if the
  /// line names no picture, and also, after adding a warning, if the picture can't be found or
  /// decoded. `exponent` is for TextureUse::exponent.
  u32 find(const MapLine& from, TextureUse use, double exponent = 0.0);

 private:
  struct Key {
    std::string path;
    TextureUse use;
    double exponent;
    bool clamps;
    auto operator<=>(const Key&) const = default;
  };

  u32 load(const MapLine& from, const std::filesystem::path& path, TextureUse use, double exponent);

  std::filesystem::path obj_directory_;
  SceneData& scene_;
  // Paths of pictures, by the folder of the material file and the name in it.
  std::map<std::pair<std::string, std::string>, std::optional<std::filesystem::path>> paths_;
  std::map<std::string, DecodedPicture> ahead_;  // by path
  std::map<Key, u32> index_;
  std::map<std::string, bool> missing_, refused_;
};

/// If all materials of a file have opacity 0, sets their opacity to 1 and returns true. Such files
/// come from programs that write d or Tr with the inverted meaning.
bool make_opaque_if_all_is_hidden(MtlText& text);

/// Collects warnings: one per material that makes triangles invisible, and one per file whose
/// materials were made opaque.
class HiddenMaterials {
 public:
  explicit HiddenMaterials(std::vector<std::string>& warnings) : warnings_(warnings) {}

  struct Found {
    bool was_made_opaque;
    bool is_hidden;
  };
  /// Records a material of `file` that `triangles` triangles use.
  void note(const std::string& file, const MtlMaterial& material, u64 triangles, Found found);

 private:
  std::vector<std::string>& warnings_;
  std::set<std::string> made_opaque_;  // files for which there already is a warning
};

}  // namespace ballotcast::detail
