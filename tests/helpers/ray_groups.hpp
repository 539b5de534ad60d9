// Rays that start at one point, in bundles of 64, for tests of kernels and walks for groups.
#pragma once

#include <vector>

#include "geometry/mesh.hpp"
#include "math/ray_hit.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail::testing {

struct GroupCase {
  const char* what;
  vec3 origin;
  vec3 towards;  // common direction; 0: each bundle aims at features of one triangle
  float width;   // width of a bundle
  float t_min, t_max;
};

/// The cases, for meshes between -1 and 1 on each axis.
inline const GroupCase kGroupCases[] = {
    {"along z", {0.4f, 0.5f, -3.0f}, {0.02f, 0.01f, 1.0f}, 0.05f, 0.0f, unbounded()},
    {"down x", {3.0f, 0.6f, 0.4f}, {-1.0f, 0.2f, -0.3f}, 0.1f, 0.0f, unbounded()},
    {"along y, from inside", {0.5f, 0.45f, 0.5f}, {0.3f, 0.8f, -0.5f}, 0.2f, 0.0f, unbounded()},
    {"an axis is mixed", {0.5f, 2.0f, 0.5f}, {0.0f, -1.0f, 0.2f}, 0.02f, 0.0f, unbounded()},
    {"both are mixed", {0.5f, 0.5f, 4.0f}, {0.0f, 0.0f, -1.0f}, 0.05f, 0.0f, unbounded()},
    {"a wide bundle", {0.1f, 0.2f, 0.3f}, {0.1f, 0.2f, -1.0f}, 1.0f, 0.0f, unbounded()},
    {"all the same ray", {0.5f, 0.5f, 4.0f}, {0.01f, 0.02f, -1.0f}, 0.0f, 0.0f, unbounded()},
    {"along an axis", {0.5f, 0.5f, 4.0f}, {0.0f, 0.0f, -1.0f}, 0.0f, 0.0f, unbounded()},
    {"with an interval", {0.5f, 0.5f, -1.0f}, {0.1f, 0.1f, 1.0f}, 0.05f, 1.2f, 1.6f},
    {"behind the origin, too", {0.5f, 0.5f, 0.5f}, {0.1f, 0.1f, 1.0f}, 0.05f, -1.0f, 1.0f},
    {"at corners, from near", {0.2f, -0.1f, 3.0f}, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, unbounded()},
    {"at corners, from away", {40.0f, -9.0f, 30.0f}, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, unbounded()},
    {"at corners, along y", {0.0f, 20.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, 0.0f, 0.0f, unbounded()},
};

/// A point of the triangle, chosen by `random`: mostly a corner or a point on an edge.
inline vec3 critical_point(const Mesh& mesh, const uvec3& triangle, u32 random) {
  const vec3 a = mesh.positions[triangle.x], b = mesh.positions[triangle.y],
             c = mesh.positions[triangle.z];
  switch (random % 8u) {
    case 0:
      return a;
    case 1:
      return b;
    case 2:
      return c;
    case 3:
      return (a + b) * 0.5f;
    case 4:
      return (b + c) * 0.5f;
    case 5:
      return a + (c - a) * 0.25f;
    default:
      return (a + b + c) / 3.0f;
  }
}

inline std::vector<Ray> rays_of(const GroupCase& with, const Mesh& mesh, u32 count) {
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const u32 group = i / 64u;
    const auto random = [&](u32 salt) { return unit_float(hash_pair(salt, i)) - 0.5f; };
    const auto of_group = [&](u32 salt) { return unit_float(hash_pair(salt, group)) - 0.5f; };
    vec3 d = with.towards;
    if (d == vec3(0.0f)) {
      const auto& triangle = mesh.triangles[hash_pair(9, group) % mesh.triangles.size()];
      d = critical_point(mesh, triangle, hash_pair(10, i)) - with.origin;
    } else if (with.width > 0.0f) {
      // Each bundle points in another direction. In some bundles, directions have different signs.
      d += vec3(of_group(1), of_group(2), of_group(3)) * 0.3f;
      d += vec3(random(4), random(5), random(6)) * with.width;
    }
    rays.push_back({with.origin, with.t_min, d * (1.0f + of_group(7)), with.t_max});
  }
  return rays;
}

}  // namespace ballotcast::detail::testing
