// What is true of points and triangles whose coordinates are floats, without rounding.
#pragma once

#include <array>
#include <cmath>

#include "geometry/triangle.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::testing {

/// A place on a lattice, whole coordinates of at most 2^41: products of three differences fit in
/// 128 bits.
struct Whole {
  std::int64_t x, y, z;
};

inline Whole operator-(Whole a, Whole b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// The sign of the volume that three vectors span.
inline int volume_sign(Whole a, Whole b, Whole c) {
  using Wide = __int128;
  const Wide v = Wide{a.x} * (Wide{b.y} * c.z - Wide{b.z} * c.y) +
                 Wide{a.y} * (Wide{b.z} * c.x - Wide{b.x} * c.z) +
                 Wide{a.z} * (Wide{b.x} * c.y - Wide{b.y} * c.x);
  return v > 0 ? 1 : v < 0 ? -1 : 0;
}

/// The multiples of a power of two of which `largest` is less than 2^40. Floats of up to 2^-16 of
/// that size are all among them.
class Lattice {
 public:
  explicit Lattice(float largest) : exponent_(std::ilogb(largest) + 1 - 40) {}

  float snap(float x) const { return std::ldexp(nearbyintf(std::ldexp(x, -exponent_)), exponent_); }
  vec3 snap(vec3 p) const { return {snap(p.x), snap(p.y), snap(p.z)}; }

  /// Of a place that is snapped.
  Whole whole_of(vec3 p) const { return {whole_of(p.x), whole_of(p.y), whole_of(p.z)}; }

 private:
  std::int64_t whole_of(float x) const {
    return static_cast<std::int64_t>(std::ldexp(double{x}, -exponent_));
  }

  int exponent_;
};

/// A closed mesh, its corners moved onto a lattice, and what is inside it. What is closed stays so.
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

  /// How often the mesh winds around a place that is snapped and on none of its triangles. By
  /// counting the triangles that rays in directions in general position leave through, less those
  /// they enter by.
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

  /// Is the place, which is snapped, in the plane of any triangle?
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

  /// Adds up what the ray leaves and enters; false if it meets an edge or a corner.
  bool leaves(Whole point, Whole d, int& sum) const {
    for (const auto& t : triangles_) {
      const Whole a = t[0] - point, b = t[1] - point, c = t[2] - point;
      const int ab = volume_sign(d, a, b), bc = volume_sign(d, b, c), ca = volume_sign(d, c, a);
      if (ab * bc < 0 || bc * ca < 0 || ca * ab < 0) continue;  // passes beside it
      if (ab == 0 || bc == 0 || ca == 0) return false;
      // In front of the point or behind it?
      if (volume_sign(a, b, c) * ab > 0) sum += ab;
    }
    return true;
  }

  Mesh mesh_;
  Lattice lattice_;
  std::vector<std::array<Whole, 3>> triangles_;
};

/// The mesh with its coordinates stretched and rounded to whole numbers; what is closed stays so.
inline Mesh rounded(Mesh mesh, vec3 stretch) {
  for (vec3& p : mesh.positions)
    p = {nearbyintf(p.x * stretch.x), nearbyintf(p.y * stretch.y), nearbyintf(p.z * stretch.z)};
  return mesh;
}

/// From `origin` at corners and the middles of edges (exactly, where coordinates are whole numbers
/// of less than 2^22), along axes, and in planes across one.
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
