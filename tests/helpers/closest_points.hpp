// Helpers for tests of closest points: a search without a tree, and a comparison by bits.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "kernels/queries/closest_point.hpp"

namespace ballotcast::detail::testing {

inline constexpr float kFar = std::numeric_limits<float>::infinity();

inline bool same_bits(const Nearest& a, const Nearest& b) {
  return bits_of(a.distance) == bits_of(b.distance) && a.triangle == b.triangle &&
         bits_of(a.u) == bits_of(b.u) && bits_of(a.v) == bits_of(b.v);
}

inline std::string text_of(const Nearest& n) {
  return std::to_string(n.distance) + " at " + std::to_string(n.triangle) + " (" +
         std::to_string(n.u) + ", " + std::to_string(n.v) + ")";
}

inline std::vector<Nearest> closest(Renderer& renderer, const std::vector<Vec3f>& points,
                                    float max_distance = kFar) {
  std::vector<Nearest> nearest(points.size());
  renderer.closest_points(points, nearest, max_distance);
  return nearest;
}

/// The closest point, found by testing every triangle without a tree.
inline Nearest closest_of_all(const Mesh& mesh, vec3 point, float max_distance = kFar) {
  PointQuery<double> query(point, 0.0f, max_distance);
  for (u32 id = 0; is_usable(point) && id < mesh.triangles.size(); ++id) {
    const uvec3 t = mesh.triangles[id];
    query.offer(
        closest_on_triangle(point, mesh.positions[t.x], mesh.positions[t.y], mesh.positions[t.z]),
        id);
  }
  return query.nearest();
}

inline std::vector<Nearest> closest_of_all(const Mesh& mesh, const std::vector<Vec3f>& points,
                                           float max_distance = kFar) {
  std::vector<Nearest> nearest;
  for (const Vec3f& point : points)
    nearest.push_back(closest_of_all(mesh, vec3(point), max_distance));
  return nearest;
}

inline void expect_same(const std::vector<Nearest>& got, const std::vector<Nearest>& expected,
                        const std::string& where) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(same_bits(got[i], expected[i]))
        << where << ", point " << i << ": " << text_of(got[i]) << ", not " << text_of(expected[i]);
}

/// Points around a mesh, on it, very close to it, at corners, on edges, far away, and points that
/// have no closest point because their coordinates are invalid.
inline std::vector<Vec3f> points_at(const Mesh& mesh, u32 count, u32 seed) {
  Random random(seed);
  const Aabb box = mesh.bounds();
  const float reach = mesh.triangles.empty() ? 1.0f : largest_magnitude(box.extent());
  const vec3 center = mesh.triangles.empty() ? vec3(0.0f) : box.center();
  std::vector<Vec3f> points;
  for (u32 i = 0; i < count; ++i) {
    vec3 point = center + random.point(reach);
    if (!mesh.triangles.empty() && i % 4 != 0) {
      const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
      const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y], c = mesh.positions[t.z];
      const float s = random.unit();
      point = i % 4 == 1   ? a
              : i % 4 == 2 ? a * s + b * (1.0f - s)
                           : a * 0.25f + b * 0.25f + c * 0.5f;
      if (i % 3 == 0) point = point + random.point(reach * 1e-6f);
    }
    if (i % 29 == 28) point = center + random.point(reach * 1e3f);
    if (i % 101 == 100) point.y = std::numeric_limits<float>::quiet_NaN();
    if (i % 103 == 102) point.z = 2.0f * kLargestCoordinate;
    if (i % 107 == 106) point.x = -kFar;
    points.push_back(point);
  }
  return points;
}

}  // namespace ballotcast::detail::testing
