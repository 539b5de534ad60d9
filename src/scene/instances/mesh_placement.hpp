// Places meshes in a scene: transforms from the coordinates of a mesh or node to those of the
// world, the vertices of several placed meshes, and scenes that are merged from several meshes.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// A linear map and a translation: p becomes x * p.x + y * p.y + z * p.z + at.
struct Affine {
  dvec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  dvec3 at{0.0};

  BC_HD dvec3 direction(dvec3 v) const { return x * v.x + y * v.y + z * v.z; }
  BC_HD dvec3 point(dvec3 p) const { return direction(p) + at; }
  /// True if all numbers are 0, as in the transform kHidden.
  BC_HD bool hides() const {
    const dvec3 zero(0.0);
    return x == zero && y == zero && z == zero && at == zero;
  }
  /// True if the map reverses the orientation of triangles, as a mirror does.
  bool mirrors() const { return dot(cross(x, y), z) < 0.0; }
  /// The normal of a surface after the map. Its length is not 1 in general.
  dvec3 normal(dvec3 n) const {
    // The matrix of cofactors, which is the transposed inverse times the determinant.
    dvec3 turned = cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z;
    if (mirrors()) turned = -turned;
    const double size = std::max({std::abs(turned.x), std::abs(turned.y), std::abs(turned.z)});
    return size > 0.0 && (size < 1e-9 || size > 1e9) ? turned / size : turned;
  }
};

/// The map that applies `inner` first, then `outer`.
inline Affine composed(const Affine& outer, const Affine& inner) {
  return {outer.direction(inner.x), outer.direction(inner.y), outer.direction(inner.z),
          outer.point(inner.at)};
}

/// The transform of an instance, from coordinates relative to `mesh_origin` to coordinates relative
/// to `origin`.
BC_HD inline Transform transform_of(const Affine& to_world, dvec3 mesh_origin, dvec3 origin) {
  if (to_world.hides()) return kHidden;
  const dvec3 at = to_world.point(mesh_origin) - origin;
  const dvec3 &x = to_world.x, &y = to_world.y, &z = to_world.z;
  const auto rounded = [](double number) { return static_cast<float>(number) + 0.0f; };
  return {{{rounded(x.x), rounded(y.x), rounded(z.x), rounded(at.x)},
           {rounded(x.y), rounded(y.y), rounded(z.y), rounded(at.y)},
           {rounded(x.z), rounded(y.z), rounded(z.z), rounded(at.z)}}};
}

/// A mesh with its transform to the scene.
struct PlacedMesh {
  const Mesh& mesh;
  dvec3 origin;  // see SceneData::origin
  Placement placement;
  std::string name;  // for messages
};

/// The data of a scene that changes when its meshes are placed.
struct Pose {
  Array<vec3> positions;
  Array<vec3> corner_normals;  // empty if no mesh has normals
  dvec3 origin;
};

/// The vertices of several placed meshes, one mesh after the other, around a common origin. If only
/// some meshes have normals, the others get flat normals. If `with_normals` is false, there are no
/// normals. Throws InputError if a mesh is placed beyond the largest coordinate.
Pose pose_of(const std::vector<PlacedMesh>& meshes, bool with_normals = true);

/// Replaces the positions, normals and origin of a scene by those of a pose.
void set_pose(SceneData& scene, Pose pose);

/// Converts a placement to a map from the coordinates of a mesh to those of the world.
Affine affine_of(const Placement& placement);

/// True if the placement changes nothing.
bool is_identity(const Placement& placement);

/// A scene, and the placement of its mesh in another scene.
struct PlacedScene {
  SceneData scene;
  Placement placement;
  bool moves = false;  // true if the placement differs between frames
};

/// Merges the meshes, materials, textures and warnings of `scenes` (at least one), in their order,
/// around a common origin. A single scene with the identity as placement is returned unchanged. If
/// only some scenes have normals, the others get flat normals; if only some have texture
/// coordinates, the others get (0, 0); if only some have vertex colours, the others get white.
/// Throws InputError if there are more triangles or vertices than a mesh may have, if a scene is
/// placed beyond the largest coordinate, or if a scene with instances is placed or merged with
/// others.
SceneData merged(std::vector<PlacedScene> scenes);

/// Stores meshes one after another, each in its own coordinates. SceneData::parts has their ranges.
/// Otherwise as `merged`.
SceneData side_by_side(std::vector<SceneData> scenes);

}  // namespace ballotcast::detail
