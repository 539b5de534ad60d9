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

namespace ballotcast::detail {

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
/// moves the point by at most 20 u magnitude along any axis, the slab arithmetic of any layout by
/// 28; 64 covers the sum. The point lies that close to a point of the triangle, so it is enough
/// that every point of the triangle is in the box of some leaf that holds it.
BC_HD inline float box_slack(float magnitude) { return magnitude * 0x1p-18f; }

/// A ray as the tests want it, made once a ray.
struct RaySetup {
  u32 kz;            // the axis along which the direction is longest
  float sx, sy, sz;  // shear
  float ox, oy, oz;  // origin, permuted
  vec3 inverse;      // 1 / direction, finite
  float slack;       // box_slack of scene and origin
  bool valid;        // can it hit anything at all?

  // The axes after kz.
  BC_HD u32 kx() const { return kz == 2u ? 0u : kz + 1u; }
  BC_HD u32 ky() const { return kz == 0u ? 2u : kz - 1u; }
};

BC_HD inline float component(vec3 v, u32 axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// The axis along which a direction is longest; of equal ones the first.
BC_HD inline u32 longest_axis(vec3 d) {
  const float ax = magnitude_of(d.x), ay = magnitude_of(d.y), az = magnitude_of(d.z);
  return ax >= ay ? (ax >= az ? 0u : 2u) : (ay >= az ? 1u : 2u);
}

/// Prepares `ray` for a scene whose |coordinates| are at most `scene_magnitude`.
BC_HD inline RaySetup make_setup(const Ray& ray, float scene_magnitude) {
  RaySetup s;
  const vec3 d = ray.direction;
  const float ax = magnitude_of(d.x), ay = magnitude_of(d.y), az = magnitude_of(d.z);
  s.kz = longest_axis(d);
  const float dz = component(d, s.kz);
  const float longest = magnitude_of(dz);
  const float reach = largest_magnitude(ray.origin);
  // NaN in any operand makes a comparison false, and the ray invalid.
  s.valid = longest >= kSmallestSlope && longest <= kLargestSlope && reach <= kLargestCoordinate &&
            ax <= longest && ay <= longest && az <= longest && ray.origin.x == ray.origin.x &&
            ray.origin.y == ray.origin.y && ray.origin.z == ray.origin.z && ray.asks();
  s.sz = s.valid ? reciprocal(dz) : 0.0f;
  s.sx = -component(d, s.kx()) * s.sz;
  s.sy = -component(d, s.ky()) * s.sz;
  s.ox = component(ray.origin, s.kx());
  s.oy = component(ray.origin, s.ky());
  s.oz = component(ray.origin, s.kz);

  const float floor_slope = s.valid ? longest * kSmallestSlope : 1.0f;
  const auto inverse_of = [&](float slope) {
    const float safe = magnitude_of(slope) < floor_slope
                           ? float_of(bits_of(floor_slope) | (bits_of(slope) & 0x80000000u))
                           : slope;
    return reciprocal(safe);
  };
  s.inverse = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
  s.slack = box_slack(max_of(scene_magnitude, reach));
  return s;
}

/// a*b - c*d with at most 1.5 ulp of error: the sign is that of the exact value, and zero means
/// zero. Never -0: the error of a product is +0 where there is none.
BC_HD inline float difference_of_products(float a, float b, float c, float d) {
  const float cd = c * d;
  const float error = fused(-c, d, cd);
  return fused(a, b, -cd) + error;
}

/// The corners of a triangle along one axis, and its id.
struct alignas(16) TriangleRow {
  float a, b, c;
  u32 id;
};

/// Triangles whose area, as the ray sees it, is half of this or less are missed: a reciprocal needs
/// a normal number. It takes sides of 2^-57 to get there.
inline constexpr float kSmallestDeterminant = 0x1p-115f;

/// A triangle's corners as three rows: along x, y and z. A ray reads its rows in the order kx, ky,
/// kz, which makes the axis permutation free.
struct alignas(16) TriangleRows {
  TriangleRow row[3];
};
static_assert(sizeof(TriangleRows) == 48);

/// Would a hit at (t, triangle) replace `best`? Nearest first, then the smallest id.
BC_HD inline bool precedes(float t, u32 triangle, const Hit& best) {
  return (t < best.t) | ((t == best.t) & (triangle < best.triangle));
}

/// A triangle's corners in the space where the ray is the z axis, z unscaled.
struct ShearedTriangle {
  float ax, ay, az, bx, by, bz, cx, cy, cz;
};

/// From the rows of the corners' coordinates along kx, ky and kz. A corner's place depends on the
/// ray and on the corner alone, so triangles that share one agree on it.
BC_HD inline ShearedTriangle sheared(const RaySetup& s, const TriangleRow& x, const TriangleRow& y,
                                     const TriangleRow& z) {
  ShearedTriangle p;
  p.az = z.a - s.oz, p.bz = z.b - s.oz, p.cz = z.c - s.oz;
  p.ax = fused(s.sx, p.az, x.a - s.ox), p.ay = fused(s.sy, p.az, y.a - s.oy);
  p.bx = fused(s.sx, p.bz, x.b - s.ox), p.by = fused(s.sy, p.bz, y.b - s.oy);
  p.cx = fused(s.sx, p.cz, x.c - s.ox), p.cy = fused(s.sy, p.cz, y.c - s.oy);
  return p;
}

/// Twice the areas that the ray makes with the triangle's edges: of one sign where it is inside, 0
/// on an edge's line. As integers they compare as well, for there is no -0 among them.
struct EdgeWeights {
  float u, v, w;  // of the corners a, b, c

  BC_HD float sum() const { return (u + v) + w; }
};

BC_HD inline EdgeWeights weights_of(const ShearedTriangle& p) {
  return {difference_of_products(p.cx, p.by, p.cy, p.bx),
          difference_of_products(p.ax, p.cy, p.ay, p.cx),
          difference_of_products(p.bx, p.ay, p.by, p.ax)};
}

/// Where the ray meets the triangle: a weighted mean of the depths; clamped, so that rounding can't
/// take it out of their range. `inverse` is one over the weights' sum. Zeros lose their sign at the
/// end, for that of a minimum depends on the machine.
BC_HD inline float distance_to(const ShearedTriangle& p, const EdgeWeights& e, float inverse,
                               float sz) {
  const float mean = fused(e.w, p.cz, fused(e.v, p.bz, e.u * p.az)) * inverse;
  const float low = either_min(p.az, either_min(p.bz, p.cz));
  const float high = either_max(p.az, either_max(p.bz, p.cz));
  return either_max(low, either_min(mean, high)) * sz + 0.0f;
}

/// Tests one triangle whose corners' coordinates along kx, ky and kz are the rows x, y, z: where
/// the ray meets it at t in (t_min, best.t], the hit precedes `best`, and counts(hit), `best`
/// becomes it. Both sides count. Edges and corners belong to every triangle that has them.
template <class Counts>
BC_HD inline void intersect_triangle(const RaySetup& s, float t_min, const TriangleRow& x,
                                     const TriangleRow& y, const TriangleRow& z, Hit& best,
                                     Counts counts) {
  const ShearedTriangle p = sheared(s, x, y, z);
  const EdgeWeights e = weights_of(p);
  // A NaN among them is found out below.
  if (smallest_by_bits(e.u, e.v, e.w) < 0 && largest_by_bits(e.u, e.v, e.w) > 0) return;
  if (!(magnitude_of(e.sum()) > kSmallestDeterminant)) return;
  const float inverse = reciprocal(e.sum());
  const float t = distance_to(p, e, inverse, s.sz);
  const u32 triangle = x.id;
  if (!(t > t_min) || !precedes(t, triangle, best)) return;
  const Hit hit{t, triangle, e.v * inverse, e.w * inverse};
  if (counts(hit)) best = hit;
}

}  // namespace ballotcast::detail
