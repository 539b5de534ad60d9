#include "scene/file_materials.hpp"

#include <algorithm>
#include <cmath>

namespace ballotcast::detail {
namespace {

/// Applies the placements of textures to the texture coordinates. Warns where clamping would have
/// an effect, because it is not supported.
void place_textures(const std::string& path, const FileMesh& mesh,
                    const std::vector<FilePiece>& pieces,
                    const std::vector<TexturePlacement>& placement_of, SceneData& scene) {
  FaceTally repeated{"corners whose texture repeats although the material asks for clamping"};
  Array<vec2>& coordinates = scene.mesh.corner_texcoords;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const FileFace& face = mesh.faces[pieces[i / 3].face];
    const TexturePlacement& placement = placement_of[face.material];
    if (!placement.is_special()) continue;
    const vec2 uv = coordinates[i] * placement.scale + placement.offset;
    coordinates[i] = std::isfinite(uv.x) && std::isfinite(uv.y) ? uv : vec2(0.0f);
    const auto inside = [](float c) { return c >= 0.0f && c <= 1.0f; };
    if (placement.clamps && !(inside(uv.x) && inside(uv.y))) repeated.note(pieces[i / 3].face);
  }
  repeated.report(path, mesh, scene);
}

/// Warns about triangles with a texture but without texture coordinates.
void report_missing_texcoords(const std::string& path, const FileMesh& mesh,
                              const std::vector<FilePiece>& pieces, SceneData& scene) {
  FaceTally missing{"triangles with a texture but without texture coordinates, set to (0, 0)"};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Material& material = scene.materials[scene.mesh.material_index(static_cast<u32>(i))];
    const bool textured = has_texture(material);
    const auto lacks = [&](u32 corner) { return mesh.corners[corner].texcoord == kAbsent; };
    if (textured && std::any_of(std::begin(pieces[i].corner), std::end(pieces[i].corner), lacks))
      missing.note(pieces[i].face);
  }
  missing.report(path, mesh, scene);
}

}  // namespace

std::vector<u64> triangles_of_materials(const FileMesh& mesh, const std::vector<FilePiece>& pieces,
                                        std::size_t count) {
  std::vector<u64> triangles(count);
  for (const FilePiece& piece : pieces) ++triangles[mesh.faces[piece.face].material];
  return triangles;
}

void use_materials(const std::string& path, const FileMesh& mesh,
                   const std::vector<FilePiece>& pieces, const FileMaterials& materials,
                   SceneData& scene) {
  place_textures(path, mesh, pieces, materials.placement_of, scene);
  if (scene.materials.size() != 1) {
    scene.mesh.material_of.reserve(pieces.size());
    for (const FilePiece& piece : pieces)
      scene.mesh.material_of.push_back(materials.index_of[mesh.faces[piece.face].material]);
  }
  report_missing_texcoords(path, mesh, pieces, scene);
}

Material default_material(const Mesh& mesh) {
  Material material;
  if (!mesh.vertex_colors.empty()) material.color = vec3(1.0f);
  return material;
}

}  // namespace ballotcast::detail
