// Bounds of the distance from a point to a triangle, computed in floats. They exclude most
// triangles before the distance of any triangle is computed in doubles (point_triangle.hpp).
//
// The vector f goes from the given point p to a point of the triangle that is approximately the
// closest.
//   - The distance is at most |f|.
//   - In the direction of f, no point of the triangle is nearer than its nearest corner. So the
//     distance is at least the smallest of (corner . f) / |f|, with corners relative to p. If f
//     ends at the closest point, this bound is |f|.
// Both bounds are valid for every f, and they are close together if f is a good approximation.
//
//                b                      here the closest point is corner a: all of the triangle
//               / \                     lies beyond the line through a
//      - - - - a---c - - - -
//              |
//              | f
//              p
//
// Errors, with u = 2^-24, where R is the sum of the magnitudes of pa, ab and ac, so that no corner
// is farther away than R:
//   - pa, pb, pc, ab and ac are differences of floats, each with a relative error of u
//   - f = pa + v ab + w ac has an error below 8 u R, and so has |f|. The weights v and w are not
//     negative, and 1 - v - w is at least -16 u: the point is off the triangle by at most 16 u R
//   - corner . f has an error below 8 u R |f|; the root and the division add 16 u
//   - the distance computed in doubles has an error of 2^-22 R
// The sum is less than 2^-18 R.
#pragma once

#include "geometry/point_triangle.hpp"

namespace ballotcast::detail {

/// Bounds of the distance to a triangle, and whether a corner is certainly the closest point.
struct DistanceBounds {
  float least, most;  // the distance, as closest_on_triangle computes it, lies between them
  u32 corner;  // 0, 1 or 2: this corner is certainly the closest point; 3: no corner is certain
};

/// A point of a triangle that is approximately the closest.
struct AboutClosest {
  float of_b, of_c;  // the weights of the corners b and c
  u32 corner;        // see DistanceBounds
};

/// The dot product a . b, with or without fused operations.
BC_HD inline float about_dot(vec3 a, vec3 b) {
  return either_fused(a.x, b.x, either_fused(a.y, b.y, a.z * b.z));
}
BC_HD inline float sum_of_magnitudes(vec3 v) {
  return magnitude_of(v.x) + magnitude_of(v.y) + magnitude_of(v.z);
}

/// The closest point by the same cases as in point_triangle.hpp, or another point if floats are not
/// precise enough to decide. A corner counts as certain if products are beyond `margin`.
BC_HD inline AboutClosest about_closest(vec3 pa, vec3 pb, vec3 pc, vec3 ab, vec3 ac, float margin) {
  const float ab_a = -about_dot(ab, pa), ac_a = -about_dot(ac, pa), ab_b = -about_dot(ab, pb),
              ac_b = -about_dot(ac, pb), ab_c = -about_dot(ab, pc), ac_c = -about_dot(ac, pc);
  const float of_a = either_fused(ab_b, ac_c, -ab_c * ac_b),
              of_b = either_fused(ab_c, ac_a, -ab_a * ac_c),
              of_c = either_fused(ab_a, ac_b, -ab_b * ac_a);
  const float bc_b = ac_b - ab_b, cb_c = ab_c - ac_c;
  float b = of_b, c = of_c, all = of_a + of_b + of_c;
  const auto take = [&](bool here, float b_here, float c_here, float all_here) {
    b = here ? b_here : b;
    c = here ? c_here : c;
    all = here ? all_here : all;
  };
  take(of_a <= 0.0f && bc_b >= 0.0f && cb_c >= 0.0f, cb_c, bc_b, bc_b + cb_c);
  take(of_b <= 0.0f && ac_a >= 0.0f && ac_c <= 0.0f, 0.0f, ac_a, ac_a - ac_c);
  take(of_c <= 0.0f && ab_a >= 0.0f && ab_b <= 0.0f, ab_a, 0.0f, ab_a - ab_b);
  take(ac_c >= 0.0f && cb_c <= 0.0f, 0.0f, 1.0f, 1.0f);
  take(ab_b >= 0.0f && bc_b <= 0.0f, 1.0f, 0.0f, 1.0f);
  take(ab_a <= 0.0f && ac_a <= 0.0f, 0.0f, 0.0f, 1.0f);
  const float share = 1.0f / all;
  b = times(b, share);
  c = times(c, share);
  // Products of very short or very long sides can be 0, infinite or NaN.
  const bool usable = b >= 0.0f && c >= 0.0f && b + c <= 1.0f + 0x1p-20f;
  const u32 corner = ab_a <= -margin && ac_a <= -margin  ? 0u
                     : ab_b >= margin && bc_b <= -margin ? 1u
                     : ac_c >= margin && cb_c <= -margin ? 2u
                                                         : 3u;
  return {usable ? b : 0.0f, usable ? c : 0.0f, corner};
}

/// The error of the bounds, relative to R.
inline constexpr float kBoundsError = 0x1p-18f;

/// Bounds of the distance of p to the triangle a, b, c. All coordinates must be usable (is_usable).
///
/// The margin for corners: let a be the corner and q any point of the triangle. |pq|^2 is at least
/// |pa|^2 + 2 pa . aq, and pa . aq is at least the smaller of pa . ab and pa . ac, times the
/// distance from q to a. So the opposite edge is farther away by more than 2^-41 R, which doubles
/// can resolve. So closest_on_triangle computes the distance of the corner, for every shape of the
/// triangle.
BC_HD inline DistanceBounds distance_bounds(vec3 p, vec3 a, vec3 b, vec3 c) {
  const vec3 pa = a - p, pb = b - p, pc = c - p, ab = b - a, ac = c - a;
  const float sides = sum_of_magnitudes(ab) + sum_of_magnitudes(ac),
              reach = sum_of_magnitudes(pa) + sides;
  const AboutClosest at =
      about_closest(pa, pb, pc, ab, ac, 0x1p-19f * reach * either_fused(0x1p-20f, reach, sides));
  const auto along = [&at](float from_a, float to_b, float to_c) {
    return either_fused(at.of_b, to_b, either_fused(at.of_c, to_c, from_a));
  };
  const vec3 f = {along(pa.x, ab.x, ac.x), along(pa.y, ab.y, ac.y), along(pa.z, ab.z, ac.z)};
  const float squared = about_dot(f, f);
  // The squares of shorter vectors are too imprecise.
  if (!(squared > 0x1p-80f))
    return {0.0f, either_fused(kBoundsError, reach, sum_of_magnitudes(f)), 3u};
  const float length = about_root_of(squared);
  const float nearest =
      either_min(either_min(about_dot(pa, f), about_dot(pb, f)), about_dot(pc, f));
  return {either_fused(-kBoundsError, reach, nearest / length),
          either_fused(kBoundsError, reach, length), at.corner};
}

}  // namespace ballotcast::detail
