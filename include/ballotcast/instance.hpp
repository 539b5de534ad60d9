// Instances: a mesh is in memory once and may occur in a scene many times.
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

/// The transform that translates by (x, y, z).
BALLOTCAST_HD constexpr Transform moved_by(float x, float y, float z) {
  return {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

/// The transform of a hidden instance: all numbers are 0. Rays miss the instance until it gets
/// another transform.
inline constexpr Transform kHidden = {{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};

/// The value of Instance::material if the triangles keep the materials of their mesh.
inline constexpr std::uint32_t kOwnMaterials = 0xffffffffu;

/// A mesh that is placed in a scene.
struct Instance {
  std::uint32_t mesh = 0;    ///< index of the mesh
  Transform transform = {};  ///< maps coordinates of the mesh to coordinates of the scene
  /// The index of the material of all triangles of the instance, or kOwnMaterials. The materials of
  /// all meshes are numbered consecutively, in the order of the meshes.
  std::uint32_t material = kOwnMaterials;
  /// The index of the world that contains the instance. Worlds are independent groups of instances:
  /// each ray is cast into one world and hits only its instances, see RayWorlds. The number of
  /// worlds is the largest index plus 1, at most 65536.
  std::uint32_t world = 0;
};

/// What the id of a hit stands for in a scene of instances: a triangle of an instance.
struct Location {
  std::uint32_t instance;  ///< index of the instance
  std::uint32_t mesh;      ///< index of the instance's mesh
  std::uint32_t triangle;  ///< index of the triangle in this mesh
  std::uint32_t part;      ///< the part of the mesh: an index into Scene::part_names()
};

}  // namespace ballotcast
