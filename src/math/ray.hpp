// What is cast, and what comes back.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A ray: the points origin + t * direction for t in (t_min, t_max]. The direction need not have
/// length 1; t is in units of it. Its largest component must have a magnitude in
/// [2^-40, 2^40]; other rays, and rays holding a NaN, hit nothing. A ray with t_max <= t_min hits
/// nothing and walks nowhere.
struct alignas(16) Ray {
  vec3 origin;
  float t_min;
  vec3 direction;
  float t_max;

  /// Can anything be hit at all?
  BC_HD bool asks() const { return t_max > t_min; }
};
static_assert(sizeof(Ray) == 32);

/// The triangle of a hit that is none.
inline constexpr u32 kNoTriangle = 0xffffffffu;

/// What a ray met: the triangle with the smallest t and, among equal t, the smallest id. The
/// point is (1-u-v)*a + u*b + v*c of the triangle's corners. A miss has triangle kNoTriangle,
/// t = the ray's t_max and u = v = 0.
struct alignas(16) Hit {
  float t;
  u32 triangle;
  float u;
  float v;

  BC_HD bool found() const { return triangle != kNoTriangle; }
};
static_assert(sizeof(Hit) == 16);

/// Every bit of two hits.
inline bool same_bits(const Hit& a, const Hit& b) {
  return bits_of(a.t) == bits_of(b.t) && a.triangle == b.triangle && bits_of(a.u) == bits_of(b.u) &&
         bits_of(a.v) == bits_of(b.v);
}

/// Which question is asked of a ray: its nearest hit, or whether there is any.
enum class RayKind : u32 { closest, any };

/// Farther than anything.
BC_HD inline float unbounded() { return float_of(0x7f800000u); }

/// A ray that hits nothing, for slots that have nothing to ask.
BC_HD inline Ray idle_ray() { return {vec3(0.0f), 0.0f, vec3(0.0f, 0.0f, 1.0f), -1.0f}; }

/// The record of a ray that has hit nothing yet.
BC_HD inline Hit miss_of(const Ray& ray) { return {ray.t_max, kNoTriangle, 0.0f, 0.0f}; }

}  // namespace ballotcast::detail
