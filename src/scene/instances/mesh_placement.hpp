// Places meshes in a scene: maps from the coordinates of a mesh or node to those of the world, the
// vertices of several placed meshes, and scenes that are merged from several meshes.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A linear map and a translation: p becomes x * p.x + y * p.y + z * p.z + at.
struct Affine {
  dvec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  dvec3 at{0.0};

  dvec3 direction(dvec3 v) const { return x * v.x + y * v.y + z * v.z; }
  dvec3 point(dvec3 p) const { return direction(p) + at; }
  /// True if all numbers are 0, as in kHidden.
  bool hides() const {
    const dvec3 zero(0.0);
    return x == zero && y == zero && z == zero && at == zero;
  }
  /// True if it turns triangles over, as a mirror does.
  bool mirrors() const { return dot(cross(x, y), z) < 0.0; }
  /// The normal of a surface after the map; of any length.
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

/// A mesh, and its place in a scene.
struct PlacedMesh {
  const Mesh& mesh;
  dvec3 origin;  // see SceneData::origin
  Placement placement;
  std::string name;  // for messages
};

/// What changes in a scene when its meshes are placed.
struct Pose {
  Array<vec3> positions;
  Array<vec3> corner_normals;  // empty if no mesh has normals
  dvec3 origin;
};

/// The pose of meshes, one after another, around a common origin. If only some have normals, the
/// others get flat ones. Without `with_normals`, there are none. Throws InputError if a mesh is
/// placed beyond the largest coordinate.
Pose pose_of(const std::vector<PlacedMesh>& meshes, bool with_normals = true);

/// Gives a scene the positions, normals and origin of a pose.
void set_pose(SceneData& scene, Pose pose);

/// A placement as a map from the coordinates of a mesh to those of the world.
Affine affine_of(const Placement& placement);

/// True if the placement changes nothing.
bool is_identity(const Placement& placement);

/// A scene, and the placement of its mesh in another scene.
struct PlacedScene {
  SceneData scene;
  Placement placement;
  bool moves = false;  // true: the placement differs between frames
};

/// Merges the meshes, materials, textures and warnings of `scenes` (at least one), in their order,
/// around a common origin. A single scene that stays in its place is returned as it is. If only
/// some scenes have normals, the others get flat normals; if only some have texture coordinates,
/// the others get (0, 0); if only some have colours at vertices, the others get white. Throws
/// InputError if there are more triangles or vertices than a mesh may have, if a scene is placed
/// beyond the largest coordinate, or if a scene with instances is placed or merged with others.
SceneData merged(std::vector<PlacedScene> scenes);

/// Puts meshes one after another, each in its own coordinates. SceneData::parts has their ranges.
/// Otherwise as `merged`.
SceneData side_by_side(std::vector<SceneData> scenes);

}  // namespace ballotcast::detail
