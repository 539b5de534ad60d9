// The watertight ray-triangle test, the same bits on every machine.
//
// Idea: shear space so that the ray becomes the z axis and test the origin against the projected
// triangle (S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, JCGT 2013). Two
// steps beyond that paper: the edge functions are differences of products by Kahan's scheme, whose
// sign is exact (C.-P. Jeannerod, N. Louvet, J.-M. Muller, Further Analysis of Kahan's Algorithm,
// Math. Comp. 2013), so a shared edge never lets a ray through and a point outside is never taken
// for one inside; and t is a weighted mean of the corners' depths, so it can't leave their range by
// more than rounding, which is what lets box culling be proven conservative (`box_slack`).
#pragma once

#include "math/ray.hpp"

namespace ballotcast {

/// Direction components smaller than this fraction of the largest are raised to it where a
/// reciprocal is taken. Within any scene that moves the ray by less than `box_slack` allows.
inline constexpr float kSmallestSlope = 0x1p-40f;

/// Directions whose largest component lies outside [kSmallestSlope, kLargestSlope] hit nothing.
inline constexpr float kLargestSlope = 0x1p40f;

/// The largest |coordinate| of a mesh or of a ray's origin; beyond it distances could overflow.
inline constexpr float kLargestCoordinate = 0x1p40f;

/// How far, in world units, boxes must be widened on every side so that a hit the triangle test
/// accepts at its computed t is never culled. `magnitude` bounds every |coordinate| of scene and
/// ray origin. With u = 2^-24: a sheared corner is off by at most 12 u magnitude, the computed t
/// moves the point by at most 20 u magnitude along any axis, the slab arithmetic by 8; 64 covers
/// the sum.
BC_HD inline float box_slack(float magnitude) { return magnitude * 0x1p-18f; }

/// A ray as the tests want it, made once a ray.
struct RaySetup {
  u32 kx, ky, kz;    // axis order: kz is where the direction is longest
  float sx, sy, sz;  // shear
  float ox, oy, oz;  // origin, permuted
  vec3 inverse;      // 1 / direction, finite
  vec3 near_addend;  // so that fused(low or high, inverse, addend) is a distance,
  vec3 far_addend;   //   widened by box_slack
  bool valid;        // can it hit anything at all?
};

BC_HD inline float component(vec3 v, u32 axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Prepares `ray` for a scene whose |coordinates| are at most `scene_magnitude`.
BC_HD inline RaySetup make_setup(const Ray& ray, float scene_magnitude) {
  RaySetup s;
  const vec3 d = ray.direction;
  const float ax = magnitude_of(d.x), ay = magnitude_of(d.y), az = magnitude_of(d.z);
  s.kz = ax >= ay ? (ax >= az ? 0u : 2u) : (ay >= az ? 1u : 2u);
  s.kx = s.kz == 2u ? 0u : s.kz + 1u;
  s.ky = s.kx == 2u ? 0u : s.kx + 1u;
  const float dz = component(d, s.kz);
  const float longest = magnitude_of(dz);
  const float reach = largest_magnitude(ray.origin);
  // NaN in any operand makes a comparison false, and the ray invalid.
  s.valid = longest >= kSmallestSlope && longest <= kLargestSlope && reach <= kLargestCoordinate &&
            ax <= longest && ay <= longest && az <= longest && ray.origin.x == ray.origin.x &&
            ray.origin.y == ray.origin.y && ray.origin.z == ray.origin.z && ray.asks();
  s.sz = 1.0f / dz;
  s.sx = -component(d, s.kx) * s.sz;
  s.sy = -component(d, s.ky) * s.sz;
  s.ox = component(ray.origin, s.kx);
  s.oy = component(ray.origin, s.ky);
  s.oz = component(ray.origin, s.kz);

  const float floor_slope = longest * kSmallestSlope;
  const auto inverse_of = [&](float slope) {
    const float safe = magnitude_of(slope) < floor_slope
                           ? float_of(bits_of(floor_slope) | (bits_of(slope) & 0x80000000u))
                           : slope;
    return 1.0f / safe;
  };
  s.inverse = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
  const float slack = box_slack(max_of(scene_magnitude, reach));
  const auto widen = [&](float origin, float inverse, float sign) {
    return -(origin * inverse) + sign * (slack * magnitude_of(inverse));
  };
  s.near_addend = {widen(ray.origin.x, s.inverse.x, -1.0f), widen(ray.origin.y, s.inverse.y, -1.0f),
                   widen(ray.origin.z, s.inverse.z, -1.0f)};
  s.far_addend = {widen(ray.origin.x, s.inverse.x, 1.0f), widen(ray.origin.y, s.inverse.y, 1.0f),
                  widen(ray.origin.z, s.inverse.z, 1.0f)};
  return s;
}

/// a*b - c*d with at most 1.5 ulp of error: the sign is that of the exact value, and zero means
/// zero.
BC_HD inline float difference_of_products(float a, float b, float c, float d) {
  const float cd = c * d;
  const float error = fused(-c, d, cd);
  return fused(a, b, -cd) + error;
}

/// A triangle's corners as three rows, one an axis: (a, b, c) along x, y and z. The id rides along
/// in the fourth component of each, as bits. A ray reads its rows in the order kx, ky, kz, which
/// makes the axis permutation free.
struct alignas(16) TriangleRows {
  vec4 row[3];
};
static_assert(sizeof(TriangleRows) == 48);

/// Would a hit at (t, primitive) replace `best`? Nearest first, then the smallest id.
BC_HD inline bool precedes(float t, u32 primitive, const Hit& best) {
  return t < best.t || (t == best.t && primitive < best.primitive);
}

/// Tests one triangle whose corners' coordinates along kx, ky and kz are the rows x, y, z; true and
/// `found` filled where the ray meets it at t in (t_min, best.t] and the hit precedes `best`.
/// Both sides count. Edges and corners belong to every triangle that has them.
BC_HD inline bool intersect_triangle(const RaySetup& s, float t_min, vec4 x, vec4 y, vec4 z,
                                     const Hit& best, Hit& found) {
  const float az = z.x - s.oz, bz = z.y - s.oz, cz = z.z - s.oz;
  const float ax = fused(s.sx, az, x.x - s.ox), ay = fused(s.sy, az, y.x - s.oy);
  const float bx = fused(s.sx, bz, x.y - s.ox), by = fused(s.sy, bz, y.y - s.oy);
  const float cx = fused(s.sx, cz, x.z - s.ox), cy = fused(s.sy, cz, y.z - s.oy);
  const float u = difference_of_products(cx, by, cy, bx);  // weight of corner a
  const float v = difference_of_products(ax, cy, ay, cx);  // weight of corner b
  const float w = difference_of_products(bx, ay, by, ax);  // weight of corner c
  const bool all_positive = u >= 0.0f && v >= 0.0f && w >= 0.0f;
  const bool all_negative = u <= 0.0f && v <= 0.0f && w <= 0.0f;
  if (!all_positive && !all_negative) return false;
  const float determinant = (u + v) + w;
  if (!(determinant != 0.0f)) return false;
  // A weighted mean of the depths; clamped, so that rounding can't take it out of their range.
  const float mean = fused(w, cz, fused(v, bz, u * az)) / determinant;
  const float low = min_of(az, min_of(bz, cz)), high = max_of(az, max_of(bz, cz));
  const float t = clamp_to(mean, low, high) * s.sz;
  const u32 primitive = bits_of(x.w);
  if (!(t > t_min) || !precedes(t, primitive, best)) return false;
  found = {t, primitive, v / determinant, w / determinant};
  return true;
}

}  // namespace ballotcast
