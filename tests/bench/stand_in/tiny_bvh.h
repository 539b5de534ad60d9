// Replaces the header of tinybvh in tests. It has the names that bench/rays/tinybvh.cpp uses, and
// tests rays against all triangles.
#pragma once

#include <cmath>
#include <cstdint>

#define BVH_FAR 1e30f
#define BVH_USESSE
#define BVH_USEAVX2

namespace tinybvh {

struct bvhvec4 {
  float x, y, z, w;
  bvhvec4(float its_x, float its_y, float its_z, float its_w)
      : x(its_x), y(its_y), z(its_z), w(its_w) {}
};

struct bvhvec3 {
  float x, y, z;
};

inline bvhvec3 between(const bvhvec4& a, const bvhvec4& b) { return {b.x - a.x, b.y - a.y, b.z - a.z}; }
inline float dot(bvhvec3 a, bvhvec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline bvhvec3 cross(bvhvec3 a, bvhvec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Intersection {
  float t, u, v;
  std::uint32_t prim;
};

struct Ray {
  bvhvec3 O{}, D{};
  Intersection hit{};

  Ray() = default;
  Ray(bvhvec3 origin, bvhvec3 direction, float t = BVH_FAR) : O(origin), D(direction) {
    const float length = std::sqrt(dot(D, D));
    D = {D.x / length, D.y / length, D.z / length};
    hit.t = t;
  }
};

class BVH {
 public:
  void Build(const bvhvec4* vertices, std::uint32_t count) {
    corners_ = vertices;
    count_ = count;
  }
  void BuildHQ(const bvhvec4* vertices, std::uint32_t count) { Build(vertices, count); }

  /// The triangle test of T. Moeller and B. Trumbore, 1997, for all triangles.
  std::int32_t Intersect(Ray& ray) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const bvhvec4* const corner = corners_ + 3 * i;
      const bvhvec3 first = between(corner[0], corner[1]), second = between(corner[0], corner[2]);
      const bvhvec3 across = cross(ray.D, second);
      const float scale = 1.0f / dot(first, across);
      const bvhvec3 from = {ray.O.x - corner->x, ray.O.y - corner->y, ray.O.z - corner->z};
      const bvhvec3 other = cross(from, first);
      const Intersection found = {dot(second, other) * scale, dot(from, across) * scale,
                                  dot(ray.D, other) * scale, i};
      if (found.u >= 0.0f && found.v >= 0.0f && found.u + found.v <= 1.0f && found.t > 0.0f &&
          found.t < ray.hit.t)
        ray.hit = found;
    }
    return 0;
  }
  bool IsOccluded(const Ray& ray) const {
    Ray its = ray;
    Intersect(its);
    return its.hit.t < ray.hit.t;
  }

 private:
  const bvhvec4* corners_ = nullptr;
  std::uint32_t count_ = 0;
};

using BVH4_CPU = BVH;
using BVH8_CPU = BVH;

}  // namespace tinybvh
