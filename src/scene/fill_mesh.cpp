#include "scene/fill_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "scene/smooth_normals.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

// A mesh that is farther from 0 than this multiple of its size gets a new origin, which saves at
// least 4 bits of precision.
constexpr double kFarFromZero = 16.0;

u32 position_of(const FileMesh& mesh, u32 corner) {
  return static_cast<u32>(mesh.corners[corner].position);
}

/// Fills in the origin, the triangles, and the vertices that they use, in the order of the file.
void fill_geometry(const FileMesh& mesh, const std::vector<FilePiece>& pieces, SceneData& scene) {
  std::vector<u32> new_index(mesh.positions.size(), kNoTriangle);
  dvec3 low(INFINITY), high(-INFINITY);
  for (const FilePiece& piece : pieces)
    for (const u32 corner : piece.corner) {
      const u32 old = position_of(mesh, corner);
      new_index[old] = 0;
      low = glm::min(low, mesh.positions[old]);
      high = glm::max(high, mesh.positions[old]);
    }
  scene.origin = origin_for(low, high);
  Mesh& out = scene.mesh;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (new_index[i] == kNoTriangle) continue;
    new_index[i] = static_cast<u32>(out.positions.size());
    out.positions.push_back(vec3(mesh.positions[i] - scene.origin) + 0.0f);  // + 0 turns -0 to 0
    if (!mesh.colors.empty()) out.vertex_colors.push_back(mesh.colors[i]);
  }
  out.triangles.reserve(pieces.size());
  for (const FilePiece& piece : pieces)
    out.triangles.emplace_back(new_index[position_of(mesh, piece.corner[0])],
                               new_index[position_of(mesh, piece.corner[1])],
                               new_index[position_of(mesh, piece.corner[2])]);
}

/// Warns about triangles that become lines or points when rounded to single precision.
void report_rounding(const std::string& path, const FileMesh& mesh,
                     const std::vector<FilePiece>& pieces, SceneData& scene) {
  FaceTally flat{kRoundedAway};
  for (u32 i = 0; i < pieces.size(); ++i)
    if (!scene.mesh.has_area(i)) flat.note(pieces[i].face);
  flat.report(path, mesh, scene);
}

void fill_texcoords(const std::string& path, const FileMesh& mesh,
                    const std::vector<FilePiece>& pieces, SceneData& scene) {
  FaceTally bad{"corners with unusable texture coordinates, set to (0, 0)"};
  std::vector<vec2> coordinates(pieces.size() * 3, vec2(0.0f));
  bool any = false;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const FilePiece& piece = pieces[i / 3];
    const i32 index = mesh.corners[piece.corner[i % 3]].texcoord;
    if (index == kAbsent) continue;
    if (in_range(index, mesh.texcoords.size())) {
      const vec2 uv = mesh.texcoords[static_cast<u32>(index)];
      if (std::isfinite(uv.x) && std::isfinite(uv.y)) {
        coordinates[i] = uv;
        any = true;
        continue;
      }
    }
    bad.note(piece.face);
  }
  bad.report(path, mesh, scene);
  if (any) scene.mesh.corner_texcoords = std::move(coordinates);
}

void fill_normals(const std::string& path, const FileMesh& mesh,
                  const std::vector<FilePiece>& pieces, double crease_angle, SceneData& scene) {
  FaceTally bad{"corners with unusable normals, replaced by computed ones"};
  std::vector<vec3> given(mesh.normals.size());
  std::vector<bool> good(mesh.normals.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const vec3 normal(mesh.normals[i]);
    // Much larger or smaller normals can't be used: rounding would make their length infinite or 0.
    const float size = largest_magnitude(normal);
    good[i] = usable_place(mesh.normals[i]) && size > 1e-20f;
    if (good[i]) given[i] = unit_or(normal, normal);
  }
  std::vector<u32> missing;
  std::vector<vec3> normals(pieces.size() * 3);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const FilePiece& piece = pieces[i / 3];
    const i32 index = mesh.corners[piece.corner[i % 3]].normal;
    if (in_range(index, given.size()) && good[static_cast<u32>(index)]) {
      normals[i] = given[static_cast<u32>(index)];
      continue;
    }
    if (index != kAbsent) bad.note(piece.face);
    missing.push_back(static_cast<u32>(i));
  }
  bad.report(path, mesh, scene);
  const bool none = missing.size() == normals.size();
  if (none && !(crease_angle > 0.0)) return;
  if (!missing.empty()) {
    const std::vector<vec3> computed = smooth_normals(scene.mesh, crease_angle);
    for (const u32 i : missing) normals[i] = computed[i];
  }
  scene.mesh.corner_normals = std::move(normals);
}

/// Throws the error about a file without a triangle that can be drawn.
[[noreturn]] void refuse_empty(const std::string& path, const FileMesh& mesh,
                               const SceneData& scene) {
  std::string why = path + ": no triangles";
  if (mesh.faces.empty() && mesh.has_lines_or_points) why += ", only lines and points";
  if (!mesh.faces.empty())
    why += ": none of its " + std::to_string(mesh.faces.size()) + " faces can be drawn";
  // Leaves out the path of the warning, because the message already begins with it.
  for (const std::string& warning : scene.warnings)
    why += "; " + warning.substr(std::min(warning.size(), path.size() + 2));
  throw InputError(why);
}

}  // namespace

dvec3 origin_for(dvec3 low, dvec3 high) {
  const dvec3 extent = high - low, centre = low * 0.5 + high * 0.5;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double distance = std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)});
  if (!(distance > kFarFromZero * size)) return dvec3(0.0);
  return glm::floor(centre + 0.5);
}

std::vector<FilePiece> fill_mesh(const std::string& path, const FileMesh& mesh, double crease_angle,
                                 SceneData& scene) {
  std::vector<FilePiece> pieces = drawable_pieces(path, mesh, scene);
  if (pieces.empty()) refuse_empty(path, mesh, scene);
  fill_geometry(mesh, pieces, scene);
  report_rounding(path, mesh, pieces, scene);
  fill_texcoords(path, mesh, pieces, scene);
  fill_normals(path, mesh, pieces, crease_angle, scene);
  return pieces;
}

}  // namespace ballotcast::detail
