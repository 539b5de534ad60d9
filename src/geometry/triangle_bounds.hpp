// Bounds of the distance from a point to a triangle, in floats: which triangles can't be the
// closest is known before any is measured in doubles (point_triangle.hpp).
//
// f leads from the given point p to a point of the triangle that is about the closest.
//   - The distance is at most |f|.
//   - Seen along f, no point of the triangle is nearer than its nearest corner. So the distance is
//     at least the smallest of (corner . f) / |f|, with corners relative to p. If f leads to the
//     closest point, that is |f|.
// Both are right wherever f leads, and they are close together if f is good.
//
//                b                      here the closest point is corner a: all of the triangle
//               / \                     lies beyond the line through a
//      - - - - a---c - - - -
//              |
//              | f
//              p
//
// Errors, with u = 2^-24 and R the sum of the magnitudes of pa, ab and ac, which no corner is
// farther away than:
//   - pa, pb, pc, ab and ac are differences of floats: each is off by u of itself
//   - f = pa + v ab + w ac is off by less than 8 u R, and so is |f|. The weights v and w are not
//     negative, and 1 - v - w is not below -16 u: the point is off the triangle by 16 u R at most.
//   - corner . f is off by less than 8 u R |f|, the root and the division by 16 u
//   - the distance computed in doubles: 2^-22 R
// Together less than 2^-18 R.
#pragma once

#include "geometry/point_triangle.hpp"

namespace ballotcast::detail {

/// What floats can tell about the closest point of a triangle.
struct DistanceBounds {
  float least, most;  // the distance, as closest_on_triangle computes it, lies between them
  u32 corner;         // 0, 1 or 2: certainly the closest point; 3: not certain
};

/// A point of a triangle.
struct AboutClosest {
  float of_b, of_c;  // the weights of two corners
  u32 corner;        // see DistanceBounds
};

/// About a . b.
BC_HD inline float about_dot(vec3 a, vec3 b) {
  return either_fused(a.x, b.x, either_fused(a.y, b.y, a.z * b.z));
}
BC_HD inline float sum_of_magnitudes(vec3 v) {
  return magnitude_of(v.x) + magnitude_of(v.y) + magnitude_of(v.z);
}

/// The closest point, by the same cases as in point_triangle.hpp; or another one, where floats
/// can't tell. A corner is certain if products are beyond `margin`.
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
  // Products of very short or long sides are 0, infinite or NaN.
  const bool usable = b >= 0.0f && c >= 0.0f && b + c <= 1.0f + 0x1p-20f;
  const u32 corner = ab_a <= -margin && ac_a <= -margin  ? 0u
                     : ab_b >= margin && bc_b <= -margin ? 1u
                     : ac_c >= margin && cb_c <= -margin ? 2u
                                                         : 3u;
  return {usable ? b : 0.0f, usable ? c : 0.0f, corner};
}

/// What the bounds may be off by, relative to R.
inline constexpr float kBoundsError = 0x1p-18f;

/// Bounds of the distance of p to the triangle a, b, c. All coordinates are usable (is_usable).
///
/// The margin of corners: with a the corner and q any point of the triangle, |pq|^2 is at least
/// |pa|^2 + 2 pa . aq, and pa . aq is at least the smaller of pa . ab and pa . ac, times how far q
/// is from a. So the edge across from a is farther away by more than 2^-41 R, which doubles can
/// tell, and
/// what closest_on_triangle computes is the distance of the corner, whatever the rest of the
/// triangle is.
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
  // Squares of shorter ways are too coarse.
  if (!(squared > 0x1p-80f))
    return {0.0f, either_fused(kBoundsError, reach, sum_of_magnitudes(f)), 3u};
  const float length = about_root_of(squared);
  const float nearest =
      either_min(either_min(about_dot(pa, f), about_dot(pb, f)), about_dot(pc, f));
  return {either_fused(-kBoundsError, reach, nearest / length),
          either_fused(kBoundsError, reach, length), at.corner};
}

}  // namespace ballotcast::detail
