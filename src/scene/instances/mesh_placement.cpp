#include "scene/instances/mesh_placement.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "ballotcast/error.hpp"
#include "math/trig.hpp"
#include "scene/instances/heightfields.hpp"
#include "scene/mesh/fill_mesh.hpp"

namespace ballotcast::detail {

namespace {

/// A bounding box in double precision.
struct Reach {
  dvec3 low{std::numeric_limits<double>::infinity()};
  dvec3 high{-std::numeric_limits<double>::infinity()};

  void include(dvec3 p) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  bool within(double most) const {
    return low.x >= -most && low.y >= -most && low.z >= -most && high.x <= most && high.y <= most &&
           high.z <= most;
  }
};

/// Applies a placement to the positions and normals of a mesh. `origin` is its SceneData::origin.
class Mover {
 public:
  Mover(const Placement& placement, dvec3 origin)
      : turn_(sincos_degrees(placement.rotate_y)), placement_(placement), origin_(origin) {}

  dvec3 place(vec3 position) const {
    return turned((origin_ + dvec3(position)) * placement_.scale) + dvec3(placement_.translate);
  }
  vec3 direction(vec3 normal) const { return unit_or(vec3(turned(dvec3(normal))), normal); }

 private:
  dvec3 turned(dvec3 v) const {
    return {turn_.cos * v.x + turn_.sin * v.z, v.y, turn_.cos * v.z - turn_.sin * v.x};
  }

  SinCos turn_;
  Placement placement_;
  dvec3 origin_;
};

/// Appends the normals of a mesh.
void append_normals(Array<vec3>& to, const Mesh& mesh, const Mover& mover) {
  for (u32 i = 0; i < mesh.triangles.size(); ++i) {
    const vec3 flat = mesh.corner_normals.empty() ? flat_normal(mesh, i) : vec3(0.0f);
    for (u32 corner = 0; corner < 3; ++corner)
      to.push_back(mover.direction(
          mesh.corner_normals.empty() ? flat : mesh.corner_normals[u64{i} * 3 + corner]));
  }
}

}  // namespace

Pose pose_of(const std::vector<PlacedMesh>& meshes, bool with_normals) {
  const bool normals =
      with_normals && std::any_of(meshes.begin(), meshes.end(), [](const PlacedMesh& placed) {
        return !placed.mesh.corner_normals.empty();
      });
  Pose pose;
  std::vector<dvec3> places;
  Reach reach;
  for (const PlacedMesh& placed : meshes) {
    const Mover mover(placed.placement, placed.origin);
    for (const vec3& position : placed.mesh.positions) {
      places.push_back(mover.place(position));
      reach.include(places.back());
    }
    if (!places.empty() && !reach.within(kLargestCoordinate))
      throw InputError(placed.name + ": its placement moves or scales it to beyond 2^40 (1.1e12)");
    if (normals) append_normals(pose.corner_normals, placed.mesh, mover);
  }
  // Positions are relative to the origin, which is only known after all boxes were found.
  pose.origin = origin_for(reach.low, reach.high);
  pose.positions.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    pose.positions[i] = vec3(places[i] - pose.origin) + 0.0f;
  return pose;
}

void set_pose(SceneData& scene, Pose pose) {
  scene.mesh.positions = std::move(pose.positions);
  scene.mesh.corner_normals = std::move(pose.corner_normals);
  scene.origin = pose.origin;
}

Affine affine_of(const Placement& placement) {
  const SinCos turn = sincos_degrees(placement.rotate_y);
  const double scale = placement.scale;
  return {dvec3(turn.cos, 0.0, -turn.sin) * scale, dvec3(0.0, 1.0, 0.0) * scale,
          dvec3(turn.sin, 0.0, turn.cos) * scale, dvec3(placement.translate)};
}

bool is_identity(const Placement& p) {
  return p.scale == 1.0 && p.rotate_y == 0.0 && p.translate.x == 0.0 && p.translate.y == 0.0 &&
         p.translate.z == 0.0;
}

namespace {

/// Detects triangles that become lines or points by rounding when they are transformed.
class RoundingWatch {
 public:
  explicit RoundingWatch(const std::vector<PlacedScene>& scenes) {
    for (const PlacedScene& one : scenes) {
      const SceneData& scene = one.scene;
      const auto count = static_cast<u32>(scene.mesh.triangles.size());
      counted_.push_back({scene.place(), count, flat_triangles(scene.mesh, 0, count)});
    }
  }

  /// Adds warnings to `all`, the merged scene.
  void report(SceneData& all) const {
    u32 first = 0;
    for (const Counted& one : counted_) {
      const u64 flat = flat_triangles(all.mesh, first, first + one.triangles);
      if (flat > one.flat)
        all.warnings.push_back(one.name + ": " + kRoundedAway +
                               ", at its placement: " + std::to_string(flat - one.flat));
      first += one.triangles;
    }
  }

 private:
  struct Counted {
    std::string name;
    u32 triangles;
    u64 flat;  // number of triangles that had no area before the placement
  };

  static u64 flat_triangles(const Mesh& mesh, u32 begin, u32 end) {
    u64 count = 0;
    for (u32 i = begin; i < end; ++i) count += mesh.has_area(i) ? 0 : 1;
    return count;
  }

  std::vector<Counted> counted_;
};

void require_at_most(u64 most, u64 count, const char* what) {
  if (count > most)
    throw InputError("the meshes have " + std::to_string(count) + " " + what +
                     " together; the limit is " + std::to_string(most));
}

template <class List>
void append(List& to, List&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// The attributes of the merged mesh: those that at least one of its meshes has.
struct Joined {
  bool normals = false, texcoords = false, colors = false, opacity = false;
  u64 triangles = 0, vertices = 0;

  void include(const Mesh& mesh) {
    triangles += mesh.triangles.size();
    vertices += mesh.positions.size();
    normals = normals || !mesh.corner_normals.empty();
    texcoords = texcoords || !mesh.corner_texcoords.empty();
    colors = colors || !mesh.vertex_colors.empty();
    opacity = opacity || !mesh.vertex_opacity.empty();
  }

  void require_room() const {
    require_at_most(kMostTriangles, triangles, "triangles");
    require_at_most(kNoTriangle, vertices, "vertices");
  }
};

/// Appends the attributes of a mesh except positions and normals.
void append_mesh(Mesh& to, Mesh&& from, const Joined& joined, u32 first_position,
                 u32 first_material) {
  const u32 count = static_cast<u32>(from.triangles.size());
  if (joined.texcoords) {
    from.corner_texcoords.resize(u64{count} * 3, vec2(0.0f));
    append(to.corner_texcoords, std::move(from.corner_texcoords));
  }
  if (joined.colors) {
    from.vertex_colors.resize(from.positions.size(), vec3(1.0f));
    append(to.vertex_colors, std::move(from.vertex_colors));
  }
  if (joined.opacity) {
    from.vertex_opacity.resize(from.positions.size(), 1.0f);
    append(to.vertex_opacity, std::move(from.vertex_opacity));
  }
  from.material_of.resize(count, 0);
  for (const u32 material : from.material_of) to.material_of.push_back(first_material + material);
  for (const uvec3& t : from.triangles) to.triangles.push_back(t + first_position);
}

void append_surfaces(SceneData& to, SceneData&& from) {
  const u32 first_texture = static_cast<u32>(to.textures.size());
  const auto moved = [&](u32 texture) {
    return texture == kNoTexture ? texture : texture + first_texture;
  };
  for (Material material : from.materials) {
    for (const TextureMember texture : kTexturesOfMaterial)
      material.*texture = moved(material.*texture);
    to.materials.push_back(material);
  }
  append(to.material_names, std::move(from.material_names));
  to.single_sided += from.single_sided;
  append(to.textures, std::move(from.textures));
  append(to.texture_names, std::move(from.texture_names));
  append(to.animations, std::move(from.animations));
  append(to.files, std::move(from.files));
  append(to.unread_files, std::move(from.unread_files));
  append(to.missed_files, std::move(from.missed_files));
  append(to.warnings, std::move(from.warnings));
}

/// Appends a scene, except the positions and normals of its mesh. Its positions begin at index
/// `first_position`.
void append_scene(SceneData& to, SceneData&& from, const Joined& joined, u32 first_position) {
  append_parts(to.named_parts, from.named_parts, from.name,
               static_cast<u32>(to.mesh.triangles.size()));
  const u32 first_material = static_cast<u32>(to.materials.size());
  append_mesh(to.mesh, std::move(from.mesh), joined, first_position, first_material);
  append_surfaces(to, std::move(from));
}

void append_normals(Array<vec3>& to, const Mesh& mesh) {
  if (!mesh.corner_normals.empty()) {
    to.insert(to.end(), mesh.corner_normals.begin(), mesh.corner_normals.end());
    return;
  }
  for (u32 i = 0; i < mesh.triangles.size(); ++i)
    for (u32 corner = 0; corner < 3; ++corner) to.push_back(flat_normal(mesh, i));
}

}  // namespace

SceneData merged(std::vector<PlacedScene> scenes) {
  if (scenes.size() == 1 && !scenes[0].moves && is_identity(scenes[0].placement))
    return std::move(scenes[0].scene);
  Joined joined;
  std::vector<PlacedMesh> meshes;
  for (const PlacedScene& one : scenes) {
    if (!one.scene.instances.empty())
      throw InputError(one.scene.place() +
                       ": has instances; it can't be placed, or joined with other meshes");
    joined.include(one.scene.mesh);
    meshes.push_back({one.scene.mesh, one.scene.origin, one.placement, one.scene.name});
  }
  joined.require_room();
  const RoundingWatch rounding(scenes);
  SceneData scene;
  set_pose(scene, pose_of(meshes));
  u32 first_position = 0;
  for (PlacedScene& one : scenes) {
    const u32 positions = static_cast<u32>(one.scene.mesh.positions.size());
    append_scene(scene, std::move(one.scene), joined, first_position);
    first_position += positions;
  }
  rounding.report(scene);
  return scene;
}

SceneData side_by_side(std::vector<SceneData> scenes) {
  Joined joined;
  for (const SceneData& one : scenes) joined.include(one.mesh);
  joined.require_room();
  SceneData scene;
  for (SceneData& one : scenes) {
    const MeshPart range{static_cast<u32>(scene.mesh.triangles.size()),
                         static_cast<u32>(one.mesh.triangles.size()),
                         static_cast<u32>(scene.mesh.positions.size()),
                         static_cast<u32>(one.mesh.positions.size()), one.origin};
    scene.parts.push_back(range);
    if (!one.shapes.empty()) {
      scene.shapes.resize(scenes.size());
      Shape& shape = scene.shapes[scene.parts.size() - 1] = one.shapes[0];
      if (shape.kind == ShapeKind::heightfield) append_heights(scene, shape, std::move(one));
    }
    if (joined.normals) append_normals(scene.mesh.corner_normals, one.mesh);
    append(scene.mesh.positions, std::move(one.mesh.positions));
    append_scene(scene, std::move(one), joined, range.first_vertex);
  }
  return scene;
}

}  // namespace ballotcast::detail
