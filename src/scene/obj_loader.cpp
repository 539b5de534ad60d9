#include "scene/obj_loader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scene/obj_faces.hpp"
#include "scene/obj_materials.hpp"
#include "scene/obj_parser.hpp"
#include "scene/smooth_normals.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace ballotcast::detail {
namespace {

// A mesh that is farther from 0 than this multiple of its size gets a new origin, which saves at
// least 4 bits of precision.
constexpr double kFarFromZero = 16.0;

/// Warns about lines that could not be used completely.
void report_lines(const std::string& path, const ObjText& obj, SceneData& scene) {
  report(path,
         {{obj.no_numbers,
           "lines with coordinates that are not numbers (decimals need a point, not a comma)"},
          {obj.too_few, "lines with missing coordinates, which are set to 0"},
          {obj.lines_and_points, "lines and points left out"},
          {obj.curves, "lines of curves and surfaces left out"},
          {obj.commands, "commands (call, csh), ignored"},
          {obj.unknown, "unknown lines, ignored"}},
         scene.warnings);
}

u32 position_of(const ObjText& obj, u32 corner) {
  return static_cast<u32>(obj.corners[corner].position);
}

/// Fills in the origin, the triangles, and the vertices that they use, in the order of the file.
void fill_geometry(const ObjText& obj, const std::vector<ObjPiece>& pieces, SceneData& scene) {
  std::vector<u32> new_index(obj.positions.size(), kNoTriangle);
  dvec3 low(INFINITY), high(-INFINITY);
  for (const ObjPiece& piece : pieces)
    for (const u32 corner : piece.corner) {
      const u32 old = position_of(obj, corner);
      new_index[old] = 0;
      low = glm::min(low, obj.positions[old]);
      high = glm::max(high, obj.positions[old]);
    }
  scene.origin = origin_for(low, high);
  Mesh& mesh = scene.mesh;
  for (std::size_t i = 0; i < obj.positions.size(); ++i) {
    if (new_index[i] == kNoTriangle) continue;
    new_index[i] = static_cast<u32>(mesh.positions.size());
    mesh.positions.push_back(vec3(obj.positions[i] - scene.origin) + 0.0f);  // + 0 turns -0 to 0
  }
  mesh.triangles.reserve(pieces.size());
  for (const ObjPiece& piece : pieces)
    mesh.triangles.emplace_back(new_index[position_of(obj, piece.corner[0])],
                                new_index[position_of(obj, piece.corner[1])],
                                new_index[position_of(obj, piece.corner[2])]);
}

/// Warns about triangles that become lines or points when rounded to single precision.
void report_rounding(const std::string& path, const ObjText& obj,
                     const std::vector<ObjPiece>& pieces, SceneData& scene) {
  FaceTally flat{kRoundedAway};
  for (u32 i = 0; i < pieces.size(); ++i)
    if (!scene.mesh.has_area(i)) flat.note(pieces[i].face, obj.faces[pieces[i].face].line);
  flat.report(path, scene);
}

void fill_texcoords(const std::string& path, const ObjText& obj,
                    const std::vector<ObjPiece>& pieces, SceneData& scene) {
  FaceTally bad{"corners with unusable texture coordinates, set to (0, 0)"};
  std::vector<vec2> coordinates(pieces.size() * 3, vec2(0.0f));
  bool any = false;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const ObjPiece& piece = pieces[i / 3];
    const i32 index = obj.corners[piece.corner[i % 3]].texcoord;
    if (index == kAbsent) continue;
    if (in_range(index, obj.texcoords.size())) {
      const vec2 uv = obj.texcoords[static_cast<u32>(index)];
      if (std::isfinite(uv.x) && std::isfinite(uv.y)) {
        coordinates[i] = uv;
        any = true;
        continue;
      }
    }
    bad.note(piece.face, obj.faces[piece.face].line);
  }
  bad.report(path, scene);
  if (any) scene.mesh.corner_texcoords = std::move(coordinates);
}

void fill_normals(const std::string& path, const ObjText& obj, const std::vector<ObjPiece>& pieces,
                  double crease_angle, SceneData& scene) {
  FaceTally bad{"corners with unusable normals, replaced by computed ones"};
  std::vector<vec3> given(obj.normals.size());
  std::vector<bool> good(obj.normals.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const vec3 normal(obj.normals[i]);
    // Much larger or smaller normals can't be used: rounding would make their length infinite or 0.
    const float size = largest_magnitude(normal);
    good[i] = usable_place(obj.normals[i]) && size > 1e-20f;
    if (good[i]) given[i] = unit_or(normal, normal);
  }
  std::vector<u32> missing;
  std::vector<vec3> normals(pieces.size() * 3);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const ObjPiece& piece = pieces[i / 3];
    const i32 index = obj.corners[piece.corner[i % 3]].normal;
    if (in_range(index, given.size()) && good[static_cast<u32>(index)]) {
      normals[i] = given[static_cast<u32>(index)];
      continue;
    }
    if (index != kAbsent) bad.note(piece.face, obj.faces[piece.face].line);
    missing.push_back(static_cast<u32>(i));
  }
  bad.report(path, scene);
  const bool none = missing.size() == normals.size();
  if (none && !(crease_angle > 0.0)) return;
  if (!missing.empty()) {
    const std::vector<vec3> computed = smooth_normals(scene.mesh, crease_angle);
    for (const u32 i : missing) normals[i] = computed[i];
  }
  scene.mesh.corner_normals = std::move(normals);
}

/// Applies the -s and -o options of the materials' maps to the texture coordinates. Warns where
/// -clamp on would have an effect, because it is not supported.
void place_textures(const std::string& path, const ObjText& obj,
                    const std::vector<ObjPiece>& pieces,
                    const std::vector<TexturePlacement>& placement_of, SceneData& scene) {
  FaceTally repeated{"corners whose texture repeats although the material says -clamp on"};
  std::vector<vec2>& coordinates = scene.mesh.corner_texcoords;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const ObjFace& face = obj.faces[pieces[i / 3].face];
    const TexturePlacement& placement = placement_of[face.material];
    if (!placement.is_special()) continue;
    const vec2 uv = coordinates[i] * placement.scale + placement.offset;
    coordinates[i] = std::isfinite(uv.x) && std::isfinite(uv.y) ? uv : vec2(0.0f);
    const auto inside = [](float c) { return c >= 0.0f && c <= 1.0f; };
    if (placement.clamps && !(inside(uv.x) && inside(uv.y)))
      repeated.note(pieces[i / 3].face, face.line);
  }
  repeated.report(path, scene);
}

void fill_materials(const std::string& path, const ObjText& obj,
                    const std::vector<ObjPiece>& pieces, SceneData& scene) {
  std::vector<u64> triangles(obj.material_names.size());
  for (const ObjPiece& piece : pieces) ++triangles[obj.faces[piece.face].material];
  const LoadedMaterials loaded = load_materials(path, obj, triangles, scene);
  place_textures(path, obj, pieces, loaded.placement_of, scene);
  if (scene.materials.size() == 1) return;
  scene.mesh.material_of.reserve(pieces.size());
  for (const ObjPiece& piece : pieces)
    scene.mesh.material_of.push_back(loaded.index_of[obj.faces[piece.face].material]);
}

/// Warns about triangles with a texture but without texture coordinates.
void report_missing_texcoords(const std::string& path, const ObjText& obj,
                              const std::vector<ObjPiece>& pieces, SceneData& scene) {
  FaceTally missing{"triangles with a texture but without texture coordinates, set to (0, 0)"};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const ObjFace& face = obj.faces[pieces[i].face];
    const Material& material =
        scene.materials[scene.mesh.material_of.empty() ? 0 : scene.mesh.material_of[i]];
    const bool textured = has_texture(material);
    const auto lacks = [&](u32 corner) { return obj.corners[corner].texcoord == kAbsent; };
    if (textured && std::any_of(std::begin(pieces[i].corner), std::end(pieces[i].corner), lacks))
      missing.note(pieces[i].face, face.line);
  }
  missing.report(path, scene);
}

/// The file's name without directory, .gz and .obj, for display.
std::string name_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".GZ") name = name.stem();
  return one_line(name.stem().string());
}

}  // namespace

dvec3 origin_for(dvec3 low, dvec3 high) {
  const dvec3 extent = high - low, centre = low * 0.5 + high * 0.5;
  const double size = std::max({extent.x, extent.y, extent.z});
  const double distance = std::max({std::abs(centre.x), std::abs(centre.y), std::abs(centre.z)});
  if (!(distance > kFarFromZero * size)) return dvec3(0.0);
  return glm::floor(centre + 0.5);
}

SceneData load_obj(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_maybe_gzip(path);
  if (bytes.empty()) throw InputError(path + ": empty file");
  const ObjText obj = parse_obj(std::move(bytes), path);
  SceneData scene;
  scene.name = name_of(path);
  scene.files = {path};
  report_lines(path, obj, scene);
  const std::vector<ObjPiece> pieces = drawable_pieces(path, obj, scene);
  if (pieces.empty()) {
    std::string why = path + ": no triangles";
    if (obj.faces.empty() && obj.lines_and_points.count != 0) why += ", only lines and points";
    if (!obj.faces.empty())
      why += ": none of its " + std::to_string(obj.faces.size()) + " faces can be drawn";
    // Leaves out the path of the warning, because the message already begins with it.
    for (const std::string& warning : scene.warnings)
      why += "; " + warning.substr(std::min(warning.size(), path.size() + 2));
    throw InputError(why);
  }
  fill_geometry(obj, pieces, scene);
  report_rounding(path, obj, pieces, scene);
  fill_texcoords(path, obj, pieces, scene);
  fill_normals(path, obj, pieces, options.crease_angle.value_or(kCreaseAngle), scene);
  fill_materials(path, obj, pieces, scene);
  report_missing_texcoords(path, obj, pieces, scene);
  return scene;
}

}  // namespace ballotcast::detail
