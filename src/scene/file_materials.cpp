#include "scene/file_materials.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "scene/face_tally.hpp"
namespace ballotcast::detail {
namespace {

/// Applies the placements of textures to the texture coordinates. Warns where clamping would have
/// an effect, because it is not supported.
void place_textures(const std::string& path, const FileMesh& mesh,
                    const std::vector<FilePiece>& pieces,
                    const std::vector<TexturePlacement>& placement_of, SceneData& scene) {
  const auto is_special = [](const TexturePlacement& placement) { return placement.is_special(); };
  if (std::none_of(placement_of.begin(), placement_of.end(), is_special)) return;
  Array<vec2>& coordinates = scene.mesh.corner_texcoords;
  tally_all("corners whose texture repeats although the material asks for clamping",
            coordinates.size(),
            [&](std::size_t i, FaceTally& repeated) {
              const u32 face = pieces[i / 3].face;
              const TexturePlacement& placement = placement_of[mesh.faces[face].material];
              if (!placement.is_special()) return;
              const vec2 uv = coordinates[i] * placement.scale + placement.offset;
              coordinates[i] = std::isfinite(uv.x) && std::isfinite(uv.y) ? uv : vec2(0.0f);
              const auto inside = [](float c) { return c >= 0.0f && c <= 1.0f; };
              if (placement.clamps && !(inside(uv.x) && inside(uv.y))) repeated.note(face);
            })
      .report(path, mesh, scene);
}

/// Warns about triangles with a texture but without texture coordinates.
void report_missing_texcoords(const std::string& path, const FileMesh& mesh,
                              const std::vector<FilePiece>& pieces, SceneData& scene) {
  if (std::none_of(scene.materials.begin(), scene.materials.end(), has_texture)) return;
  tally_all(
      "triangles with a texture but without texture coordinates, set to (0, 0)", pieces.size(),
      [&](std::size_t i, FaceTally& missing) {
        const FilePiece& piece = pieces[i];
        const auto lacks = [&](u32 corner) { return mesh.corners.texcoord(corner) == kAbsent; };
        if (has_texture(scene.materials[scene.mesh.material_index(static_cast<u32>(i))]) &&
            std::any_of(std::begin(piece.corner), std::end(piece.corner), lacks))
          missing.note(piece.face);
      })
      .report(path, mesh, scene);
}

}  // namespace

std::vector<u64> triangles_of_materials(const FileMesh& mesh, const std::vector<FilePiece>& pieces,
                                        std::size_t count) {
  // Few parts, because each has its own counts.
  constexpr std::size_t kGrain = 1 << 20;
  const auto add = [&](std::size_t begin, std::size_t end, std::vector<u64> triangles) {
    for (std::size_t i = begin; i < end; ++i) ++triangles[mesh.faces[pieces[i].face].material];
    return triangles;
  };
  const auto join = [](std::vector<u64> a, const std::vector<u64>& b) {
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
    return a;
  };
  return reduce_ranges<std::size_t>(0, pieces.size(), kGrain, std::vector<u64>(count), add, join);
}

void use_materials(const std::string& path, const FileMesh& mesh,
                   const std::vector<FilePiece>& pieces, const FileMaterials& materials,
                   SceneData& scene) {
  place_textures(path, mesh, pieces, materials.placement_of, scene);
  if (scene.materials.size() != 1) {
    scene.mesh.material_of.resize(pieces.size());
    for_each_range<std::size_t>(pieces.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        scene.mesh.material_of[i] = materials.index_of[mesh.faces[pieces[i].face].material];
    });
  }
  report_missing_texcoords(path, mesh, pieces, scene);
}

Material default_material(const Mesh& mesh) {
  Material material;
  if (!mesh.vertex_colors.empty()) material.color = vec3(1.0f);
  return material;
}

}  // namespace ballotcast::detail
