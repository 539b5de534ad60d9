// Instances: meshes that are in memory once and in a scene many times.
#pragma once

#include <cstdint>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// An affine map in three rows of four numbers, as a 3x4 matrix: point p becomes
/// (rows[i][0] p.x + rows[i][1] p.y + rows[i][2] p.z + rows[i][3]) for i = 0, 1, 2. 48 bytes, the
/// same on host and device.
struct Transform {
  float rows[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};  ///< the matrix, row by row
};
static_assert(sizeof(Transform) == 48);

/// The transform that moves by (x, y, z).
BALLOTCAST_HD constexpr Transform moved_by(float x, float y, float z) {
  return {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

/// The transform of an instance that is not there: all numbers are 0. Rays miss it, until it gets
/// another transform.
inline constexpr Transform kHidden = {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};

/// The material of an instance whose triangles keep the materials of their mesh.
inline constexpr std::uint32_t kOwnMaterials = 0xffffffffu;

/// A mesh at a place in a scene.
struct Instance {
  std::uint32_t mesh = 0;    ///< which of the meshes
  Transform transform = {};  ///< from the coordinates of the mesh to those of the scene
  /// The index of a material for all of its triangles, or kOwnMaterials. Materials are numbered
  /// through all meshes, in their order.
  std::uint32_t material = kOwnMaterials;
  /// The world that it is in. Each ray is cast into one world and hits only instances of that
  /// world: see RayWorlds. The number of worlds is the largest of these numbers plus 1, at most
  /// 65536.
  std::uint32_t world = 0;
};

/// The place of a triangle in a scene of instances, which the id of a hit stands for.
struct Location {
  std::uint32_t instance;  ///< which of the instances
  std::uint32_t mesh;      ///< the mesh of this instance
  std::uint32_t triangle;  ///< which triangle of this mesh
  std::uint32_t part;      ///< the part of the mesh: an index into Scene::part_names()
};

}  // namespace ballotcast
