// Exact geometric tests of points and triangles with float coordinates.
#pragma once

#include <array>
#include <cmath>

#include "geometry/triangle.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::testing {

/// A point of a lattice: integer coordinates of at most 2^41, so that products of three differences
/// fit in 128 bits.
struct Whole {
  std::int64_t x, y, z;
};

inline Whole operator-(Whole a, Whole b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// The sign of the volume of the parallelepiped that three vectors span.
inline int volume_sign(Whole a, Whole b, Whole c) {
  using Wide = __int128;
  const Wide v = Wide{a.x} * (Wide{b.y} * c.z - Wide{b.z} * c.y) +
                 Wide{a.y} * (Wide{b.z} * c.x - Wide{b.x} * c.z) +
                 Wide{a.z} * (Wide{b.x} * c.y - Wide{b.y} * c.x);
  return v > 0 ? 1 : v < 0 ? -1 : 0;
}

/// A lattice whose spacing is a power of two, such that `largest` is less than 2^40 spacings.
/// Floats whose magnitude is at least 2^-16 of `largest` lie on it.
class Lattice {
 public:
  explicit Lattice(float largest) : exponent_(std::ilogb(largest) + 1 - 40) {}

  float snap(float x) const { return std::ldexp(nearbyintf(std::ldexp(x, -exponent_)), exponent_); }
  vec3 snap(vec3 p) const { return {snap(p.x), snap(p.y), snap(p.z)}; }

  /// The lattice coordinates of a snapped point.
  Whole whole_of(vec3 p) const { return {whole_of(p.x), whole_of(p.y), whole_of(p.z)}; }

 private:
  std::int64_t whole_of(float x) const {
    return static_cast<std::int64_t>(std::ldexp(double{x}, -exponent_));
  }

  int exponent_;
};

/// A closed mesh whose corners are snapped to a lattice, with exact tests of where a point is.
/// Snapping keeps a closed mesh closed.
class ExactMesh {
 public:
  explicit ExactMesh(Mesh mesh) : mesh_(std::move(mesh)), lattice_(largest(mesh_)) {
    for (vec3& p : mesh_.positions) p = lattice_.snap(p);
    for (const uvec3 t : mesh_.triangles)
      triangles_.push_back({lattice_.whole_of(mesh_.positions[t.x]),
                            lattice_.whole_of(mesh_.positions[t.y]),
                            lattice_.whole_of(mesh_.positions[t.z])});
  }

  const Mesh& mesh() const { return mesh_; }
  vec3 snap(vec3 p) const { return lattice_.snap(p); }

  /// The winding number of the mesh around a point that is snapped and on none of its triangles. It
  /// is the number of triangles through which a ray in general position leaves, minus those through
  /// which it enters.
  int winding_number(vec3 place) const {
    const Whole point = lattice_.whole_of(place);
    Random random(7);
    const auto coordinate = [&] {
      return static_cast<std::int64_t>(random.below(1u << 21)) - (1 << 20);
    };
    for (;;) {
      const Whole d{coordinate(), coordinate(), coordinate()};
      int sum = 0;
      if (leaves(point, d, sum)) return sum;
    }
  }

  /// True if the point, which must be snapped to the lattice, lies in the plane of a triangle.
  bool in_a_plane(vec3 place) const {
    const Whole point = lattice_.whole_of(place);
    for (const auto& t : triangles_)
      if (volume_sign(t[0] - point, t[1] - point, t[2] - point) == 0) return true;
    return false;
  }

 private:
  static float largest(const Mesh& mesh) {
    float most = 0.0f;
    for (const vec3 p : mesh.positions) most = max_of(most, largest_magnitude(p));
    return most;
  }

  /// Adds 1 to `sum` where the ray from `point` along `d` leaves the mesh, and -1 where it enters.
  /// Returns false if the ray meets an edge or a corner; `sum` is then useless.
  bool leaves(Whole point, Whole d, int& sum) const {
    for (const auto& t : triangles_) {
      const Whole a = t[0] - point, b = t[1] - point, c = t[2] - point;
      const int ab = volume_sign(d, a, b), bc = volume_sign(d, b, c), ca = volume_sign(d, c, a);
      if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) continue;  // the ray misses the triangle
      if (ab == 0 || bc == 0 || ca == 0) return false;
      // Counts only crossings in front of the point, not those behind it.
      if (volume_sign(a, b, c) * ab > 0) sum += ab;
    }
    return true;
  }

  Mesh mesh_;
  Lattice lattice_;
  std::vector<std::array<Whole, 3>> triangles_;
};

/// The mesh with its coordinates scaled and rounded to integers. A closed mesh stays closed.
inline Mesh rounded(Mesh mesh, vec3 stretch) {
  for (vec3& p : mesh.positions)
    p = {nearbyintf(p.x * stretch.x), nearbyintf(p.y * stretch.y), nearbyintf(p.z * stretch.z)};
  return mesh;
}

/// Rays from `origin` to corners and to the middles of edges, along axes, and in planes
/// perpendicular to an axis. The rays hit their targets exactly if coordinates are integers below
/// 2^22.
inline std::vector<Ray> rays_at_edges(const Mesh& mesh, vec3 origin, u32 count, Random& random) {
  const float reach = largest_magnitude(mesh.bounds().extent());
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
    const vec3 a = mesh.positions[t.x], b = mesh.positions[t.y];
    vec3 direction = i % 2 ? a - origin : (a - origin) + (b - origin);
    if (i % 8 == 0) direction = vec3(0.0f);
    float& one = i % 3 == 0 ? direction.x : i % 3 == 1 ? direction.y : direction.z;
    if (i % 8 == 0) one = i % 16 == 0 ? reach : -reach;
    if (i % 8 == 3) one = i % 16 == 3 ? 0.0f : -0.0f;
    while (largest_magnitude(direction) > 0.0f && largest_magnitude(direction) < kSmallestSlope)
      direction = direction * 1024.0f;
    if (largest_magnitude(direction) > 0.0f)
      rays.push_back({origin, 0.0f, direction, std::numeric_limits<float>::infinity()});
  }
  return rays;
}

}  // namespace ballotcast::detail::testing
