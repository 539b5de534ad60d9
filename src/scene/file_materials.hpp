// Gives the triangles of a mesh the materials that their file states.
#pragma once

#include <string>
#include <vector>

#include "scene/file_mesh.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// How a texture is placed: it is sampled at texture coordinate * scale + offset.
struct TexturePlacement {
  vec2 scale{1.0f};
  vec2 offset{0.0f};
  bool clamps = false;  // true: the file asks for clamping instead of repeating

  bool operator==(const TexturePlacement&) const = default;
  /// True if the placement differs from the default.
  bool is_special() const { return *this != TexturePlacement{}; }
};

/// The materials of a mesh file, for each value of FileFace::material.
struct FileMaterials {
  std::vector<u32> index_of;  // index in SceneData::materials; 0 for unused names
  std::vector<TexturePlacement> placement_of;
};

/// The number of triangles of each of the file's `count` materials.
std::vector<u64> triangles_of_materials(const FileMesh& mesh, const std::vector<FilePiece>& pieces,
                                        std::size_t count);

/// Fills in Mesh::material_of and places the textures, after fill_mesh returned `pieces`. Warns
/// about triangles that have a texture but no texture coordinates. `scene` must have its materials.
void use_materials(const std::string& path, const FileMesh& mesh,
                   const std::vector<FilePiece>& pieces, const FileMaterials& materials,
                   SceneData& scene);

/// The material of a mesh that has none: grey; white if its vertices have colours.
Material default_material(const Mesh& mesh);

}  // namespace ballotcast::detail
