// What is true of rays and triangles whose coordinates are whole numbers, without rounding.
#pragma once

#include "helpers/meshes.hpp"

namespace ballotcast::testing {

/// Whole coordinates of less than 2^22: products of three differences fit in 128 bits.
struct Whole {
  std::int64_t x, y, z;
};

inline Whole whole_of(vec3 p) {
  return {static_cast<std::int64_t>(p.x), static_cast<std::int64_t>(p.y),
          static_cast<std::int64_t>(p.z)};
}
inline Whole operator-(Whole a, Whole b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// The sign of the volume that three vectors span.
inline int volume_sign(Whole a, Whole b, Whole c) {
  using Wide = __int128;
  const Wide v = Wide{a.x} * (Wide{b.y} * c.z - Wide{b.z} * c.y) +
                 Wide{a.y} * (Wide{b.z} * c.x - Wide{b.x} * c.z) +
                 Wide{a.z} * (Wide{b.x} * c.y - Wide{b.y} * c.x);
  return v > 0 ? 1 : v < 0 ? -1 : 0;
}

/// How often a closed mesh winds around a point that is on none of its triangles. By counting the
/// triangles that rays in directions in general position leave through, less those they enter by.
inline int winding_number(const Mesh& mesh, Whole point) {
  Random random(7);
  const auto coordinate = [&] {
    return static_cast<std::int64_t>(random.below(1u << 21)) - (1 << 20);
  };
  for (;;) {
    const Whole d{coordinate(), coordinate(), coordinate()};
    int sum = 0;
    bool general = true;
    for (const uvec3 t : mesh.triangles) {
      const Whole a = whole_of(mesh.positions[t.x]) - point;
      const Whole b = whole_of(mesh.positions[t.y]) - point;
      const Whole c = whole_of(mesh.positions[t.z]) - point;
      const int ab = volume_sign(d, a, b), bc = volume_sign(d, b, c), ca = volume_sign(d, c, a);
      if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) continue;  // passes beside it
      if (ab == 0 || bc == 0 || ca == 0) {
        general = false;
        break;
      }
      // In front of the point or behind it?
      if (volume_sign(a, b, c) * ab > 0) sum += ab;
    }
    if (general) return sum;
  }
}

/// Is the point in the plane of any triangle?
inline bool in_a_plane(const Mesh& mesh, Whole point) {
  for (const uvec3 t : mesh.triangles)
    if (volume_sign(whole_of(mesh.positions[t.x]) - point, whole_of(mesh.positions[t.y]) - point,
                    whole_of(mesh.positions[t.z]) - point) == 0)
      return true;
  return false;
}

/// The mesh with its coordinates stretched and rounded to whole numbers; what is closed stays so.
inline Mesh rounded(Mesh mesh, vec3 stretch) {
  for (vec3& p : mesh.positions)
    p = {nearbyintf(p.x * stretch.x), nearbyintf(p.y * stretch.y), nearbyintf(p.z * stretch.z)};
  return mesh;
}

/// From `origin` exactly at corners and the middles of edges, and along axes.
inline std::vector<Ray> rays_at_edges(const Mesh& mesh, vec3 origin, u32 count, Random& random) {
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
    const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y];
    vec3 direction = i % 2 ? a - origin : (a + b) - origin * 2.0f;
    if (i % 8 == 0) direction = vec3(0.0f);
    if (i % 8 == 0) (i % 3 == 0 ? direction.x : i % 3 == 1 ? direction.y : direction.z) = 1024.0f;
    if (largest_magnitude(direction) > 0.0f)
      rays.push_back({origin, 0.0f, direction, std::numeric_limits<float>::infinity()});
  }
  return rays;
}

}  // namespace ballotcast::testing
