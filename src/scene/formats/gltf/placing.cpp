#include <algorithm>

#include "ballotcast/error.hpp"
#include "scene/formats/gltf/meshes.hpp"
#include "scene/instances/instances.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {
namespace {

/// Appends the positions and normals of a primitive, transformed to the world.
void append_places(const GltfPrimitive& primitive, const Affine& to_world, PolygonMesh& out) {
  const u32 count = primitive.positions.count();
  const auto vector_at = [](const GltfNumbers& numbers, u32 i) {
    const float* v = numbers.at(i);
    return dvec3(vec3(v[0], v[1], v[2]));
  };
  for (u32 i = 0; i < count; ++i)
    out.positions.push_back(to_world.point(
        primitive.posed.empty() ? vector_at(primitive.positions, i) : primitive.posed[i]));
  if (primitive.normals.width == 0) return;
  for (u32 i = 0; i < count; ++i)
    out.normals.push_back(to_world.normal(vector_at(primitive.normals, i)));
}

/// Makes the polygons of a file from its primitives, one after the other.
class Assembler {
 public:
  explicit Assembler(const std::vector<GltfTexcoords>& texcoords) : texcoords_(texcoords) {}

  /// Adds a mesh with its transform to the world, as a part with a name.
  void add(const GltfMesh& mesh, const Affine& to_world, const std::string& name) {
    out.named.push_back({out.faces.size(), name});
    for (const GltfPrimitive& primitive : mesh.primitives) add(primitive, to_world);
  }

  PolygonMesh out;
  u64 bad_colors = 0;  // primitives with colours out of range

 private:
  void add(const GltfPrimitive& primitive, const Affine& to_world) {
    const u32 count = primitive.positions.count();
    const i32 first = static_cast<i32>(out.positions.size());
    const i32 first_normal = static_cast<i32>(out.normals.size());
    const i32 first_texcoord = static_cast<i32>(out.texcoords.size());
    const bool normals = primitive.normals.width != 0, texcoords = primitive.texcoords.width != 0;
    append_places(primitive, to_world, out);
    if (texcoords)
      for (u32 i = 0; i < count; ++i)
        out.texcoords.push_back(placed(primitive.texcoords.at(i), primitive.material));
    add_colors(primitive, static_cast<std::size_t>(first));
    const bool turned = to_world.mirrors();
    for (const uvec3& t : primitive.triangles) {
      const u32 begin = static_cast<u32>(out.corners.size());
      for (const u32 vertex : {t.x, turned ? t.z : t.y, turned ? t.y : t.z}) {
        const i32 i = static_cast<i32>(vertex);
        out.corners.push_back(
            vertex < count ? PolygonCorner{first + i, texcoords ? first_texcoord + i : kAbsent,
                                           normals ? first_normal + i : kAbsent}
                           : PolygonCorner{kInvalid, kAbsent, kAbsent});
      }
      out.faces.push_back({begin, 3, primitive.material, primitive.place});
    }
  }

  /// A texture coordinate after its transform, with v pointing up.
  vec2 placed(const float* uv, u32 material) const {
    const GltfTexcoords& t = texcoords_[material];
    const double u = double{uv[0]}, v = double{uv[1]};
    const glm::dvec2 to = t.along_u * u + t.along_v * v + t.offset;
    return {static_cast<float>(to.x), static_cast<float>(1.0 - to.y)};
  }

  /// Adds the colours of the vertices from `first` on. In the file, colours are linear.
  void add_colors(const GltfPrimitive& primitive, std::size_t first) {
    if (primitive.colors.width != 0) {
      bool fits = true;
      out.colors.resize(first, vec3(1.0f));
      for (u32 i = 0; i < primitive.colors.count(); ++i) {
        const float* c = primitive.colors.at(i);
        out.colors.push_back(
            vec3(dvec3(unit_number(double{c[0]}, fits), unit_number(double{c[1]}, fits),
                       unit_number(double{c[2]}, fits))));
        if (primitive.alpha) unit_number(double{c[3]}, fits);
      }
      if (!fits) ++bad_colors;
    } else if (!out.colors.empty()) {
      out.colors.resize(out.positions.size(), vec3(1.0f));
    }
    add_opacities(primitive, first);
  }

  void add_opacities(const GltfPrimitive& primitive, std::size_t first) {
    const u32 count = primitive.alpha ? primitive.colors.count() : 0;
    if (!out.opacities.empty()) out.opacities.resize(out.positions.size(), 1.0f);
    for (u32 i = 0; i < count; ++i) {
      bool fits = true;  // ignored here, because add_colors has counted it
      const double alpha = unit_number(double{primitive.colors.at(i)[3]}, fits);
      if (alpha < 1.0) out.opacities.resize(out.positions.size(), 1.0f);
      if (!out.opacities.empty()) out.opacities[first + i] = static_cast<float>(alpha);
    }
  }

  // Indices of corners have 31 bits. No primitive has unused vertices, so there are at most as many
  // vertices as corners.
  static_assert(3 * kMostInGltf <= 0x7fffffff);

  const std::vector<GltfTexcoords>& texcoords_;
};

/// Stores the polygons as the mesh of a scene.
GltfTriangles filled(const std::string& path, Assembler from, const GltfMeshes& meshes,
                     const LoadOptions& options, SceneData& scene) {
  GltfTriangles out{std::move(from.out), {}};
  out.mesh.place_names = meshes.place_names;
  out.mesh.has_lines_or_points = meshes.has_lines_or_points;
  out.mesh.moves = meshes.moves;
  if (from.bad_colors != 0)
    scene.warnings.push_back(path + ": " + kColorsOutOfRange + ": " +
                             std::to_string(from.bad_colors));
  out.pieces = fill_mesh(path, out.mesh, options.crease_angle.value_or(0.0), scene);
  return out;
}

/// The parts of a mesh; face_ends[i] is the end of the faces of part i. Vertices and triangles are
/// both in the order of the file.
std::vector<MeshPart> parts_of(const SceneData& scene, const std::vector<PolygonTriangle>& pieces,
                               const std::vector<std::size_t>& face_ends) {
  std::vector<MeshPart> parts;
  u32 triangle = 0, vertex = 0;
  for (const std::size_t end : face_ends) {
    MeshPart part{triangle, 0, vertex, 0, scene.origin};
    for (; triangle < pieces.size() && pieces[triangle].face < end; ++triangle)
      for (int k = 0; k < 3; ++k) vertex = std::max(vertex, scene.mesh.triangles[triangle][k] + 1u);
    part.count = triangle - part.first;
    part.vertices = vertex - part.first_vertex;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::vector<PlacedPart> instances_of(const GltfMeshes& meshes) {
  const dvec3 zero(0.0);
  std::vector<PlacedPart> instances;
  for (const ShownMesh& at : meshes.shown) {
    Affine m = at.to_world;
    if (m.x == zero && m.y == zero && m.z == zero) {
      if (!meshes.moves) continue;
      m.at = zero;
    }
    instances.push_back({at.mesh, m});
    instances.back().name = "nodes[" + std::to_string(at.node) + "]";
    instances.back().part = meshes.name_of(at);
  }
  return instances;
}

void move_copies(const GltfMeshes& meshes, PolygonMesh& copies) {
  copies.positions.clear();
  copies.normals.clear();
  for (const ShownMesh& at : meshes.shown)
    for (const GltfPrimitive& primitive : meshes.meshes[at.mesh].primitives)
      append_places(primitive, at.to_world, copies);
}

bool copies_cost_too_much(u64 shown, u64 distinct, u64 most_copied) {
  return shown > most_copied && (shown > kMostInGltf || shown / 2 >= distinct);
}

GltfTriangles place_meshes(const std::string& path, GltfMeshes meshes,
                           const std::vector<GltfTexcoords>& texcoords, const LoadOptions& options,
                           SceneData& scene) {
  const u64 shown = meshes.shown_count();
  if (copies_cost_too_much(shown, meshes.triangle_count(),
                           options.most_copied.value_or(kMostCopied))) {
    const SceneData before = scene;
    Assembler once(texcoords);
    std::vector<std::size_t> face_ends;
    for (const GltfMesh& mesh : meshes.meshes) {
      // The name is not used, because instances have their own names
      once.add(mesh, {}, std::to_string(face_ends.size()));
      face_ends.push_back(once.out.faces.size());
    }
    GltfTriangles triangles = filled(path, std::move(once), meshes, options, scene);
    scene.parts = parts_of(scene, triangles.pieces, face_ends);
    try {
      const std::vector<PlacedPart> instances = instances_of(meshes);
      if (const u64 left_out = meshes.shown.size() - instances.size(); left_out != 0)
        scene.warnings.push_back(path +
                                 ": meshes left out, because their nodes shrink them to a point: " +
                                 std::to_string(left_out));
      place_parts(scene, instances);
      return triangles;
    } catch (const InputError& error) {
      if (shown > kMostInGltf)
        throw InputError(path + ": " + error.what() + "; without instances there are more than " +
                         std::to_string(kMostInGltf) + " triangles");
      scene = before;
    }
  }
  if (shown > kMostInGltf)
    throw InputError(path + ": more than " + std::to_string(kMostInGltf) + " triangles");
  Assembler copies(texcoords);
  for (const ShownMesh& at : meshes.shown)
    copies.add(meshes.meshes[at.mesh], at.to_world, meshes.name_of(at));
  // Frees the originals, so that they don't take memory in addition to their copies.
  std::vector<GltfMesh>().swap(meshes.meshes);
  return filled(path, std::move(copies), meshes, options, scene);
}

}  // namespace ballotcast::detail
