// The watertight ray-triangle test, with the same bits on every machine.
//
// Space is sheared so that the ray becomes the z axis; then the origin is tested against the
// projected triangle (S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, JCGT
// 2013). There are two differences to this paper.
// - The edge functions are differences of products by Kahan's scheme, whose sign is exact (C.-P.
//   Jeannerod, N. Louvet, J.-M. Muller, Further Analysis of Kahan's Algorithm, Math. Comp. 2013).
//   So no ray passes between triangles that share an edge, and no ray hits a triangle that it
//   passes outside.
// - t is a weighted mean of the corners' depths, clamped to their range. This makes it possible to
//   prove that culling by boxes is conservative: it never loses a hit (`box_slack`).
#pragma once

#include "math/ray_hit.hpp"

namespace ballotcast::detail {

/// The reciprocals of a direction's components must be finite. So components smaller than this
/// fraction of the largest one are replaced by that fraction before their reciprocal is taken.
/// Within any scene this moves the ray by less than `box_slack` allows.
inline constexpr float kSmallestSlope = 0x1p-40f;

/// A ray whose largest direction component lies outside [kSmallestSlope, kLargestSlope] hits
/// nothing.
inline constexpr float kLargestSlope = 0x1p40f;

/// The largest |coordinate| of a mesh or of a ray's origin. Beyond it, distances could overflow.
inline constexpr float kLargestCoordinate = 0x1p40f;

/// True if a coordinate of a mesh vertex or a ray origin may have this value. A NaN fails every
/// comparison, so each component is tested with `<=`.
BC_HD inline bool is_usable(vec3 p) {
  return magnitude_of(p.x) <= kLargestCoordinate && magnitude_of(p.y) <= kLargestCoordinate &&
         magnitude_of(p.z) <= kLargestCoordinate;
}

/// The factor of box_slack: 64 u, with u = 2^-24.
inline constexpr float kSlack = 0x1p-18f;

/// The distance, in world units, by which boxes must be widened on every side. Then no box test
/// culls a hit that the triangle test accepts at its computed t. `magnitude` is at least every
/// |coordinate| of the scene and of the ray's origin. With u = 2^-24: a sheared corner is off by at
/// most 12 u magnitude; the computed t moves the point by at most 20 u magnitude along any axis;
/// the box test of any layout is off by 28 u magnitude. The sum is less than 64 u magnitude, so the
/// hit's point is that close to a point of the triangle. No hit is lost if every point of the
/// triangle lies in the box of some leaf that contains the triangle.
BC_HD inline float box_slack(float magnitude) { return times(magnitude, kSlack); }

/// The two axes after kz, in cyclic order: kx and ky.
BC_HD inline u32 next_axis(u32 kz) { return kz == 2u ? 0u : kz + 1u; }
BC_HD inline u32 previous_axis(u32 kz) { return kz == 0u ? 2u : kz - 1u; }

/// Numbers of a ray that the box and triangle tests need; they are computed once per ray.
struct RaySetup {
  u32 kz;            // the axis along which the direction is largest
  float sx, sy, sz;  // shear
  float ox, oy, oz;  // origin, in the order of the axes kx, ky, kz
  vec3 inverse;      // 1 / direction; always finite
  float slack;       // box_slack for the scene and the ray's origin
  bool valid;        // false if the ray can't hit anything

  BC_HD u32 kx() const { return next_axis(kz); }
  BC_HD u32 ky() const { return previous_axis(kz); }
};

/// The axis on which a direction has its largest absolute component. If several components are
/// equal, the first of their axes.
BC_HD inline u32 longest_axis(vec3 d) {
  const float ax = magnitude_of(d.x), ay = magnitude_of(d.y), az = magnitude_of(d.z);
  return ax >= ay ? (ax >= az ? 0u : 2u) : (ay >= az ? 1u : 2u);
}

/// False if the ray cannot hit anything: empty interval of t, a direction that is too short or too
/// long, an origin too far away, or NaN anywhere.
BC_HD inline bool is_valid(const Ray& ray, float largest_slope = kLargestSlope) {
  const vec3 d = ray.direction, o = ray.origin;
  const float longest = magnitude_of(component(d, longest_axis(d)));
  // Every comparison with NaN is false. `&` is used instead of `&&`, so that no branch makes the
  // lanes of a warp diverge.
  return (longest >= kSmallestSlope) & (longest <= largest_slope) &
         (largest_magnitude(o) <= kLargestCoordinate) & (magnitude_of(d.x) <= longest) &
         (magnitude_of(d.y) <= longest) & (magnitude_of(d.z) <= longest) & (o.x == o.x) &
         (o.y == o.y) & (o.z == o.z) & ray.asks();
}

/// The shear that makes the ray the z axis.
struct Shear {
  u32 kz;  // as in RaySetup
  float sx, sy, sz;
  float smallest_slope;  // see inverse_slope
  bool valid;

  BC_HD u32 kx() const { return next_axis(kz); }
  BC_HD u32 ky() const { return previous_axis(kz); }
};

BC_HD inline Shear make_shear(const Ray& ray, float largest_slope = kLargestSlope) {
  Shear s;
  const vec3 d = ray.direction;
  s.kz = longest_axis(d);
  s.valid = is_valid(ray, largest_slope);
  const float dz = component(d, s.kz);
  s.sz = s.valid ? reciprocal(dz) : 0.0f;
  s.sx = -component(d, s.kx()) * s.sz;
  s.sy = -component(d, s.ky()) * s.sz;
  s.smallest_slope = s.valid ? magnitude_of(dz) * kSmallestSlope : 1.0f;
  return s;
}

/// The reciprocal of a component of a direction. It has the sign of the component, and is always
/// finite.
BC_HD inline float inverse_slope(float slope, float smallest) {
  const bool is_small = magnitude_of(slope) < smallest;
  return reciprocal(is_small ? float_of(bits_of(smallest) | (bits_of(slope) & 0x80000000u))
                             : slope);
}

/// box_slack of the ray's origin and of a scene whose coordinates have magnitudes of at most
/// `scene_magnitude`.
BC_HD inline float slack_for(const Ray& ray, float scene_magnitude) {
  return box_slack(max_of(scene_magnitude, largest_magnitude(ray.origin)));
}

/// Prepares `ray` for a scene whose coordinates have magnitudes of at most `scene_magnitude`.
BC_HD inline RaySetup make_setup(const Ray& ray, float scene_magnitude,
                                 float largest_slope = kLargestSlope) {
  const Shear shear = make_shear(ray, largest_slope);
  const vec3 d = ray.direction, o = ray.origin;
  const auto inverse_of = [&](float slope) { return inverse_slope(slope, shear.smallest_slope); };
  RaySetup s;
  s.kz = shear.kz;
  s.sx = shear.sx, s.sy = shear.sy, s.sz = shear.sz;
  s.ox = component(o, s.kx()), s.oy = component(o, s.ky()), s.oz = component(o, s.kz);
  s.inverse = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
  s.slack = slack_for(ray, scene_magnitude);
  s.valid = shear.valid;
  return s;
}

/// a*b - c*d with an error of at most 1.5 ulp. The sign is that of the exact value, and the result
/// is 0 only if the exact value is 0. The result is never -0, because the rounding error of an
/// exact product is +0.
template <class Real>
BC_HD inline Real difference_of_products(Real a, Real b, Real c, Real d) {
  const Real cd = c * d;
  const Real error = fused(-c, d, cd);
  return fused(a, b, -cd) + error;
}

/// The corners of a triangle along one axis, and its id.
struct alignas(16) TriangleRow {
  float a, b, c;
  u32 id;
};

/// A ray misses a triangle whose area, projected along the ray, is at most half of this number,
/// because its reciprocal would not be a normal number. Triangles with sides of about 2^-57 are
/// that small.
inline constexpr float kSmallestDeterminant = 0x1p-115f;

/// A triangle's corners as three rows: x, y and z. A ray reads the rows in the order of its axes
/// kx, ky, kz, so permuting the axes costs nothing.
struct alignas(16) TriangleRows {
  TriangleRow row[3];
};
static_assert(sizeof(TriangleRows) == 48);

BC_HD inline TriangleRows rows_of(vec3 a, vec3 b, vec3 c, u32 id) {
  return {{{a.x, b.x, c.x, id}, {a.y, b.y, c.y, id}, {a.z, b.z, c.z, id}}};
}

/// True if a hit at (t, triangle) must replace `best`: it is nearer, or equally near with a smaller
/// id.
BC_HD inline bool precedes(float t, u32 triangle, const Hit& best) {
  return (t < best.t) | ((t == best.t) & (triangle < best.triangle));
}

/// A triangle's corners in the space in which the ray is the z axis. The z coordinates are not
/// scaled.
struct ShearedTriangle {
  float ax, ay, az, bx, by, bz, cx, cy, cz;
};

/// Shears the corners; x, y and z are the rows along kx, ky and kz. The result for a corner depends
/// only on the ray and the corner, so triangles that share a corner get the same result.
BC_HD inline ShearedTriangle sheared(const RaySetup& s, const TriangleRow& x, const TriangleRow& y,
                                     const TriangleRow& z) {
  ShearedTriangle p;
  p.az = z.a - s.oz, p.bz = z.b - s.oz, p.cz = z.c - s.oz;
  p.ax = fused(s.sx, p.az, x.a - s.ox), p.ay = fused(s.sy, p.az, y.a - s.oy);
  p.bx = fused(s.sx, p.bz, x.b - s.ox), p.by = fused(s.sy, p.bz, y.b - s.oy);
  p.cx = fused(s.sx, p.cz, x.c - s.ox), p.cy = fused(s.sy, p.cz, y.c - s.oy);
  return p;
}

/// The edge functions: twice the signed area between the ray and each edge, as seen along the ray.
/// If the ray passes inside the triangle, all three have the same sign. If the ray meets the line
/// of an edge, the value of this edge is 0. No value is -0, so they can be compared as integers.
struct EdgeWeights {
  float u, v, w;  // weights of the corners a, b, c

  BC_HD float sum() const { return (u + v) + w; }
};

BC_HD inline EdgeWeights weights_of(const ShearedTriangle& p) {
  return {difference_of_products(p.cx, p.by, p.cy, p.bx),
          difference_of_products(p.ax, p.cy, p.ay, p.cx),
          difference_of_products(p.bx, p.ay, p.by, p.ax)};
}

/// The distance at which the ray meets the triangle: a weighted mean of the corners' depths,
/// clamped so that rounding can't move it out of their range. `inverse` is 1 over the sum of the
/// weights. If the minimum or maximum is zero, its sign depends on the machine. So the function
/// adds 0 at the end, which turns -0 into 0.
BC_HD inline float distance_to(const ShearedTriangle& p, const EdgeWeights& e, float inverse,
                               float sz) {
  const float mean = fused(e.w, p.cz, fused(e.v, p.bz, e.u * p.az)) * inverse;
  const float low = either_min(p.az, either_min(p.bz, p.cz));
  const float high = either_max(p.az, either_max(p.bz, p.cz));
  return times(either_max(low, either_min(mean, high)), sz) + 0.0f;
}

/// True if the ray meets the front of the triangle, that is, if the corners run counter-clockwise
/// as seen from the ray's origin. The sheared axes are right-handed. So for such a triangle the
/// weights are positive if the ray goes up along kz, and negative otherwise. For a triangle that is
/// exactly edge-on, the sum of the weights is 0 and there is no hit. So each hit has a well-defined
/// side, computed from rounded corners, which is the same on every machine. `inverse` is 1 over the
/// sum of the weights.
BC_HD inline bool meets_front(float inverse, float sz) { return (inverse < 0.0f) == (sz < 0.0f); }

/// A filter for intersect_triangle with which every hit counts.
struct EveryHit {
  BC_HD bool operator()(const Hit&, bool, const TriangleRow* = nullptr) const { return true; }
};

/// Tests one triangle; x, y and z are the rows of its corners along kx, ky and kz. The id of its
/// hit is that of the rows plus `first_id`. If the ray meets the triangle at a t in (t_min,
/// best.t], the hit precedes `best`, and accepts(hit, meets_front) is true, then `best` becomes
/// this hit. Points on an edge or a corner belong to every triangle that has this edge or corner.
template <class Accepts>
BC_HD inline void intersect_triangle(const RaySetup& s, float t_min, const TriangleRow& x,
                                     const TriangleRow& y, const TriangleRow& z, Hit& best,
                                     Accepts accepts, u32 first_id = 0u) {
  const ShearedTriangle p = sheared(s, x, y, z);
  const EdgeWeights e = weights_of(p);
  // A NaN among the weights is detected by the next test.
  if (smallest_by_bits(e.u, e.v, e.w) < 0 && largest_by_bits(e.u, e.v, e.w) > 0) return;
  if (!(magnitude_of(e.sum()) > kSmallestDeterminant)) return;
  const float inverse = reciprocal(e.sum());
  const float t = distance_to(p, e, inverse, s.sz);
  const u32 triangle = x.id + first_id;
  if (!(t > t_min) || !precedes(t, triangle, best)) return;
  Hit hit{t, triangle, times(e.v, inverse), times(e.w, inverse)};
  if (accepts(hit, meets_front(inverse, s.sz))) best = hit;
}

}  // namespace ballotcast::detail
