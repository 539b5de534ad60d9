// What loaders of all formats do about materials: pictures become textures of a scene, and
// triangles get the materials that their file states.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "image/image.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "scene/scene.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// A picture that is not part of a scene yet.
struct DecodedPicture {
  Image<Rgba8> image;
  std::string not_shown;  // what of the file is not in `image`, or ""
  std::string failure;    // why there is no image, or ""
};

/// Reads and decodes a picture file. If it can't be used, throws nothing: the result says why.
DecodedPicture decode_picture_file(const std::string& path);

/// Decodes a picture and adds it to `scene` under the name `name`. `called` is what the file of the
/// scene calls it, and `place` the beginning of warnings, such as "a.mtl: line 3: ". Returns the
/// index of the texture; if the picture can't be used, adds a warning and returns kNoTexture.
u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene);

/// As add_texture, for a file. `picture` is what decode_picture_file gave for it. The file is
/// listed in SceneData::files even if it can't be used, so that no output overwrites it.
u32 add_texture_file(const std::filesystem::path& path, DecodedPicture picture,
                     const std::string& called, const std::string& place, SceneData& scene);
u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene);

/// Moves an opacity mask to the alpha channel, where opacity is read. If the alpha channel is not
/// opaque everywhere, it is the mask already. Otherwise the picture is taken for a grey one, and
/// its red channel is the mask.
void make_opacity(Picture<Rgba8>& image);

/// Turns heights (a grey picture) into normals in tangent space. Where the picture changes from
/// black to white within four pixels, the normal is tilted by 45 degrees. A picture with colours is
/// left as it is: it is taken for a picture of normals.
void make_normals(Picture<Rgba8>& image);

/// Turns factors on a Phong exponent into roughness (see roughness_of).
void make_roughness(Picture<Rgba8>& image, double exponent);

/// The roughness of a surface with a Phong exponent. Its square is the width of GGX, which is
/// sqrt(2 / (exponent + 2)) (B. Walter et al., Microfacet Models for Refraction through Rough
/// Surfaces, 2007, section 5.2).
double roughness_of(double exponent);

/// How a texture is placed: it is sampled at texture coordinate * scale + offset.
struct TexturePlacement {
  vec2 scale{1.0f};
  vec2 offset{0.0f};

  bool operator==(const TexturePlacement&) const = default;
  /// True if the placement differs from the default.
  bool is_special() const { return *this != TexturePlacement{}; }
};

/// The materials of a mesh file, for each value of Polygon::material.
struct FileMaterials {
  std::vector<u32> index_of;  // index in SceneData::materials; 0 for unused names
  std::vector<TexturePlacement> placement_of;
};

/// The number of triangles of each of the file's `count` materials.
std::vector<u64> triangles_of_materials(const PolygonMesh& mesh,
                                        const std::vector<PolygonTriangle>& pieces,
                                        std::size_t count);

/// Fills in Mesh::material_of and places the textures, after fill_mesh returned `pieces`. Warns
/// about triangles that have a texture but no texture coordinates. `scene` must have its materials.
void use_materials(const std::string& path, const PolygonMesh& mesh,
                   const std::vector<PolygonTriangle>& pieces, const FileMaterials& materials,
                   SceneData& scene);

/// The material of a mesh that has none: grey; white if its vertices have colours.
Material default_material(const Mesh& mesh);

/// True if surfaces of `material` are cut out everywhere. Its textures must be in `scene`.
bool is_hidden(const Material& material, const SceneData& scene);

// Colours that a mesh file states per face. Each distinct one becomes a material, so that vertices
// stay shared and smoothing does not change.

/// The colours of a file's faces.
class FaceColors {
 public:
  /// The Polygon::material of a face of this sRGB colour. 0 is for faces without a colour.
  u32 material_of(dvec3 srgb);

  /// The number of faces whose colour was not made of numbers from 0 to 1.
  u64 out_of_range() const { return out_of_range_; }

  /// Adds the materials that `pieces` use to `scene`, which must have none, and gives them to its
  /// triangles. Faces without a colour get `plain`, others a copy of it in their colour.
  void use(const std::string& path, const PolygonMesh& mesh,
           const std::vector<PolygonTriangle>& pieces, const Material& plain,
           SceneData& scene) const;

 private:
  std::map<std::array<double, 3>, u32> index_of_;
  std::vector<vec3> linear_;  // of materials 1, 2, ...
  std::vector<dvec3> srgb_;
  u64 out_of_range_ = 0;
};

/// How many colours of a file could not be used as they are.
struct ColorDefects {
  u64 bad_of_vertices = 0;  // brought into their range
  u64 bad_of_faces = 0;
  u64 unused = 0;       // of faces whose vertices have colours, too
  u64 see_through = 0;  // with an alpha below 1
};

/// Adds a warning about `path` for each kind of defect that is there.
void report_colors(const std::string& path, const ColorDefects& defects,
                   std::vector<std::string>& warnings);

}  // namespace ballotcast::detail
