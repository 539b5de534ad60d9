#include "scene/formats/face_colors.hpp"

#include <cmath>
#include <cstdio>

namespace ballotcast::detail {

namespace {

/// The colour as a name: "#ff8000".
std::string name_of(dvec3 srgb) {
  const auto code = [](double c) { return static_cast<unsigned>(std::floor(c * 255.0 + 0.5)); };
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", code(srgb.x), code(srgb.y), code(srgb.z));
  return text;
}

}  // namespace

u32 FaceColors::material_of(dvec3 srgb) {
  bool fits = true;
  for (int i = 0; i < 3; ++i) srgb[i] = unit_number(srgb[i], fits);
  if (!fits) ++out_of_range_;
  const auto [entry, is_new] =
      index_of_.try_emplace({srgb.x, srgb.y, srgb.z}, static_cast<u32>(linear_.size() + 1));
  if (is_new) {
    linear_.push_back(linear_vertex_color(srgb, fits));
    srgb_.push_back(srgb);
  }
  return entry->second;
}

void FaceColors::use(const std::string& path, const PolygonMesh& mesh,
                     const std::vector<PolygonTriangle>& pieces, const Material& plain,
                     SceneData& scene) const {
  const std::size_t count = linear_.size() + 1;
  const std::vector<u64> triangles = triangles_of_materials(mesh, pieces, count);
  FileMaterials materials{std::vector<u32>(count, 0), std::vector<TexturePlacement>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    if (triangles[i] == 0) continue;
    materials.index_of[i] = static_cast<u32>(scene.materials.size());
    Material material = plain;
    if (i != 0) material.color = linear_[i - 1];
    scene.materials.push_back(material);
    scene.material_names.push_back(i == 0 ? "default" : name_of(srgb_[i - 1]));
  }
  use_materials(path, mesh, pieces, materials, scene);
}

void report_colors(const std::string& path, const ColorDefects& defects,
                   std::vector<std::string>& warnings) {
  const auto warn = [&](const char* what, u64 count) {
    if (count != 0) warnings.push_back(path + ": " + what + ": " + std::to_string(count));
  };
  warn(kColorsOutOfRange, defects.bad_of_vertices);
  warn("colours of faces that are not numbers from 0 to 1, brought into that range",
       defects.bad_of_faces);
  warn("colours of faces left out, because vertices have colours, too", defects.unused);
  warn("alpha of vertices and faces left out: all are drawn opaque", defects.see_through);
}

}  // namespace ballotcast::detail
