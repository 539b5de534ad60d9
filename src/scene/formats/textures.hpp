// Materials for loaders of all formats: pictures become textures of a scene, and triangles get the
// materials of their file.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "image/picture.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "scene/scene_data.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// A picture that is not yet part of a scene.
struct DecodedPicture {
  Image<Rgba8> image;
  std::string not_shown;  // the contents of the file that are not in `image`, or ""
  std::string failure;    // the reason why there is no image, or ""
};

/// Reads and decodes a picture file. If it can't be used, no exception is thrown, but the result
/// contains the reason.
DecodedPicture decode_picture_file(const std::string& path);

/// Decodes a picture and adds it to `scene` under the name `name`. `called` is the name of the
/// picture in the mesh file, and `place` the beginning of warnings, such as "a.mtl: line 3: ".
/// Returns the index of the texture. If the picture can't be used, adds a warning and returns
/// kNoTexture.
u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene);

/// As add_texture, for a file. `picture` is the result of decode_picture_file. The file is listed
/// in SceneData::files even if it can't be used, so that no output overwrites it.
u32 add_texture_file(const std::filesystem::path& path, DecodedPicture picture,
                     const std::string& called, const std::string& place, SceneData& scene);
u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene);

/// Moves an opacity mask to the alpha channel, where the opacity of a texture is stored. If the
/// alpha channel is not opaque everywhere, it already is the mask. Otherwise the picture is assumed
/// to be grey, and its red channel is the mask.
void make_opacity(Picture<Rgba8>& image);

/// Converts heights (a grey picture) to normals in tangent space. Where the picture changes from
/// black to white within four pixels, the normal is tilted by 45 degrees. A picture with colours is
/// not changed, because it is assumed to contain normals.
void make_normals(Picture<Rgba8>& image);

/// Converts factors on a Phong exponent to roughness (see roughness_of).
void make_roughness(Picture<Rgba8>& image, double exponent);

/// The roughness of a surface with a Phong exponent. Its square is the width of the GGX
/// distribution, which is sqrt(2 / (exponent + 2)) (B. Walter et al., Microfacet Models for
/// Refraction through Rough Surfaces, 2007, section 5.2).
double roughness_of(double exponent);

/// The placement of a texture, which is sampled at texture coordinate * scale + offset.
struct TexturePlacement {
  vec2 scale{1.0f};
  vec2 offset{0.0f};

  bool operator==(const TexturePlacement&) const = default;
  /// True if the placement differs from the default.
  bool is_special() const { return *this != TexturePlacement{}; }
};

/// The materials of a mesh file, one for each value of Polygon::material.
struct FileMaterials {
  std::vector<u32> index_of;  // index in SceneData::materials; 0 for unused names
  std::vector<TexturePlacement> placement_of;
};

/// The number of triangles of each of the file's `count` materials.
std::vector<u64> triangles_of_materials(const PolygonMesh& mesh,
                                        const std::vector<PolygonTriangle>& pieces,
                                        std::size_t count);

/// Sets Mesh::material_of and applies the texture placements, after fill_mesh returned `pieces`.
/// Adds a warning about triangles that have a texture but no texture coordinates. `scene` must
/// already have its materials.
void use_materials(const std::string& path, const PolygonMesh& mesh,
                   const std::vector<PolygonTriangle>& pieces, const FileMaterials& materials,
                   SceneData& scene);

/// The material of a mesh without materials: grey, or white if its vertices have colours.
Material default_material(const Mesh& mesh);

/// True if surfaces of `material` are cut out everywhere. The textures of the material must be in
/// `scene`.
bool is_hidden(const Material& material, const SceneData& scene);

// Colours that a mesh file has per face. Each distinct colour becomes a material, so that vertices
// stay shared and smoothing does not change.

/// The colours of a file's faces.
class FaceColors {
 public:
  /// Returns the Polygon::material of a face with this sRGB colour. 0 is for faces without a
  /// colour.
  u32 material_of(dvec3 srgb);

  /// The number of faces whose colour had components that are not numbers from 0 to 1.
  u64 out_of_range() const { return out_of_range_; }

  /// Adds the materials that `pieces` use to `scene`, which must have none, and assigns them to its
  /// triangles. Faces without a colour get the material `plain`, other faces a copy of it with
  /// their colour.
  void use(const std::string& path, const PolygonMesh& mesh,
           const std::vector<PolygonTriangle>& pieces, const Material& plain,
           SceneData& scene) const;

 private:
  std::map<std::array<double, 3>, u32> index_of_;
  std::vector<vec3> linear_;  // colours of the materials 1, 2, ...
  std::vector<dvec3> srgb_;
  u64 out_of_range_ = 0;
};

/// Numbers of colours in a file that could not be used unchanged.
struct ColorDefects {
  u64 bad_of_vertices = 0;  // colours of vertices that were clamped to their range
  u64 bad_of_faces = 0;
  u64 unused = 0;       // colours of faces whose vertices also have colours
  u64 see_through = 0;  // colours with an alpha below 1
};

/// Adds a warning about `path` for each kind of defect that occurred.
void report_colors(const std::string& path, const ColorDefects& defects,
                   std::vector<std::string>& warnings);

}  // namespace ballotcast::detail
