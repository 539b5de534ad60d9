// Bounds of a group of rays that start at one point, and a test whether any of the rays may enter a
// box.
//
//      x                  . high_x         z is the axis along which all rays go furthest. The
//      |             .       .             rays lie between two planes across z for x (here), and
//      |        .   [ box ]     . low_x    two for y. They enter boxes no earlier than `least`
//      |   .        .     .                times the distance along z, and leave them no later
//      o--------------------------- z      than `most` times it.
//
// Why no hit is lost: box_slack (triangle.hpp) has the analysis for one ray. As there, u = 2^-24,
// and no |coordinate| of the scene or of the rays' origin is above `magnitude`. A hit's point is
// within 32 u magnitude of a leaf's box, along any axis. Here boxes are widened by kGroupSlack *
// box_slack = 80 u magnitude, so 48 are left for rounding. A side of a box that matters is at most
// 4 magnitude away. So the sides of a SeenBox take at most 14 of the 48, and their products with
// `least`, `most` and slopes at most 16, with the rounding of these.
#pragma once

#include "geometry/far_origin.hpp"

namespace ballotcast::detail {

/// The distance at which the ray, or the first ray of a group, may enter a box, as the bits of a
/// float that is not negative; and whether any ray may enter the box before the limit of the call.
struct BoxEntry {
  i32 entry;
  bool enters;
};

/// The amount by which boxes are widened for a group, as a multiple of box_slack.
inline constexpr float kGroupSlack = 1.25f;

/// The components of `v` in the order of the axes kx, ky, kz (see RaySetup).
BC_HD inline vec3 in_order_of(u32 kz, vec3 v) {
  return kz == 2u ? v : kz == 1u ? vec3(v.z, v.x, v.y) : vec3(v.y, v.z, v.x);
}

/// A box relative to the point where the rays start. Its axes are in the order kx, ky, kz. The
/// direction of an axis is reversed if the rays go down the axis, so that the rays go up every axis
/// and enter at `first`. The box is widened by kGroupSlack times box_slack.
struct SeenBox {
  vec3 first, last;
};

/// The signs that the directions of all rays of a group have in common. Bits 0, 1 and 2 of `down`
/// and `mixed` stand for the axes kx, ky and kz. In `down`, a bit is set if all rays go down the
/// axis. In `mixed`, a bit is set if some rays go up and others down; then the axis is not
/// reversed. kz is never mixed.
struct GroupSigns {
  u32 kz, down, mixed;
};

/// The numbers of a ray from which the frustum of a group is computed.
struct GroupRay {
  float sx, sy, sz;  // the shear of RaySetup
  float ix, iy;      // 1 / direction along kx and ky, with the axes reversed as in SeenBox
};

/// The directions of a ray along kx and ky as bits. Bits 0 and 1 are set if the ray goes down kx
/// and ky, bits 3 and 4 if it goes up.
BC_HD inline u32 ways_of(const GroupRay& ray) {
  return (ray.ix < 0.0f ? 1u : 8u) | (ray.iy < 0.0f ? 2u : 16u);
}

/// The GroupRay of a RaySetup. The axes are not reversed yet; see turn_round.
BC_HD inline GroupRay group_ray(const RaySetup& setup) {
  const vec3 i = in_order_of(setup.kz, setup.inverse);
  return {setup.sx, setup.sy, setup.sz, i.x, i.y};
}
/// The GroupRay of a ray, for callers that do not need the rest of a RaySetup.
BC_HD inline GroupRay group_ray(const Shear& shear, vec3 direction) {
  const auto inverse = [&](u32 axis) {
    return inverse_slope(component(direction, axis), shear.smallest_slope);
  };
  return {shear.sx, shear.sy, shear.sz, inverse(shear.kx()), inverse(shear.ky())};
}
BC_HD inline void turn_round(GroupRay& ray, const GroupSigns& signs) {
  if ((signs.down & 1u) != 0u) ray.ix = -ray.ix;
  if ((signs.down & 2u) != 0u) ray.iy = -ray.iy;
}

/// The common signs of the rays of a group. `ways` is the bitwise or of ways_of() over all rays.
/// `down_z` is true if they go down along kz.
BC_HD inline GroupSigns group_signs(u32 kz, u32 ways, bool down_z) {
  const u32 mixed = ways & (ways >> 3) & 3u;
  return {kz, (ways & ~mixed & 3u) | (down_z ? 4u : 0u), mixed};
}

/// Bounds of a group, with the axes reversed as in SeenBox.
struct Frustum {
  vec3 least, most;     // bounds of |1 / direction|; on a mixed axis, `least` is 0
  float low_x, high_x;  // bounds of x / z
  float low_y, high_y;  // bounds of y / z
  u32 keep_x, keep_y;   // 0 if the axis is mixed, else all bits are set
};

/// Computes the bounds of a group. `rays` finds bounds of a number f(ray) over all rays, whose axes
/// are reversed: rays.least(f) and rays.most(f) for numbers that are not negative, least_signed and
/// most_signed for others. (`most` may also be called if some numbers are negative and others are
/// not.)
template <class Rays>
BC_HD inline Frustum frustum_of(const GroupSigns& signs, const Rays& rays) {
  const bool down_z = (signs.down & 4u) != 0u;
  const bool mixed_x = (signs.mixed & 1u) != 0u, mixed_y = (signs.mixed & 2u) != 0u;
  // x / z of a ray is -sx or, if exactly one of the two axes is reversed, sx. Unless x is mixed, it
  // is not negative.
  const bool turn_x = ((signs.down & 1u) != 0u) == down_z;
  const bool turn_y = ((signs.down & 2u) != 0u) == down_z;
  const auto x_over_z = [=](const GroupRay& r) { return turn_x ? -r.sx : r.sx; };
  const auto y_over_z = [=](const GroupRay& r) { return turn_y ? -r.sy : r.sy; };
  const auto ix = [](const GroupRay& r) { return r.ix; };
  const auto iy = [](const GroupRay& r) { return r.iy; };
  const auto iz = [](const GroupRay& r) { return magnitude_of(r.sz); };
  Frustum f;
  if (signs.mixed == 0u) {
    f.low_x = rays.least(x_over_z), f.high_x = rays.most(x_over_z);
    f.low_y = rays.least(y_over_z), f.high_y = rays.most(y_over_z);
  } else {
    f.low_x = rays.least_signed(x_over_z), f.high_x = rays.most_signed(x_over_z);
    f.low_y = rays.least_signed(y_over_z), f.high_y = rays.most_signed(y_over_z);
  }
  // Rounds outwards by more than all rounding errors of the computation together.
  const auto below = [](float slope) { return fused(-magnitude_of(slope), 0x1p-20f, slope); };
  const auto above = [](float slope) { return fused(magnitude_of(slope), 0x1p-20f, slope); };
  f.low_x = below(f.low_x), f.high_x = above(f.high_x);
  f.low_y = below(f.low_y), f.high_y = above(f.high_y);
  const float least_x = rays.least(ix), least_y = rays.least(iy);
  f.least = {mixed_x ? 0.0f : least_x, mixed_y ? 0.0f : least_y, rays.least(iz)};
  f.most = {rays.most(ix), rays.most(iy), rays.most(iz)};
  f.keep_x = mixed_x ? 0u : 0xffffffffu;
  f.keep_y = mixed_y ? 0u : 0xffffffffu;
  return f;
}

/// Tests whether any ray of the group may enter a box before `limit`.
BC_HD inline BoxEntry enter_box(const Frustum& f, const SeenBox& box, i32 limit) {
  const vec3 a = box.first, b = box.last;
  const i32 entry = largest_not_negative(a.x * f.least.x, a.y * f.least.y, a.z * f.least.z);
  // An axis along which some rays go forward and others back limits nothing: its exit becomes the
  // largest integer.
  const auto exit = [](float product, u32 keep) {
    return float_of((bits_of(product) & keep) | (~keep & 0x7fffffffu));
  };
  const i32 exits = smallest_by_bits(exit(b.x * f.most.x, f.keep_x), exit(b.y * f.most.y, f.keep_y),
                                     b.z * f.most.z);
  const float from_x = f.low_x < 0.0f ? b.z : a.z, from_y = f.low_y < 0.0f ? b.z : a.z;
  const bool inside = (fused(-f.low_x, from_x, b.x) >= 0.0f) &
                      (fused(f.high_x, b.z, -a.x) >= 0.0f) &
                      (fused(-f.low_y, from_y, b.y) >= 0.0f) & (fused(f.high_y, b.z, -a.y) >= 0.0f);
  return {entry, inside && entry <= exits && entry <= limit};
}

/// Reverses the mixed axes of a box along which the ray goes down.
BC_HD inline SeenBox turned_for(const GroupRay& ray, const SeenBox& box) {
  SeenBox turned = box;
  if (ray.ix < 0.0f) turned.first.x = box.last.x, turned.last.x = box.first.x;
  if (ray.iy < 0.0f) turned.first.y = box.last.y, turned.last.y = box.first.y;
  return turned;
}

/// True if a ray of the group may enter a box before `t`. If some axes are mixed, the box must be
/// turned_for(ray, box).
BC_HD inline bool enters_box(const GroupRay& ray, const SeenBox& box, float t) {
  const vec3 a = box.first, b = box.last;
  const float iz = magnitude_of(ray.sz);
  const i32 entry = largest_not_negative(a.x * ray.ix, a.y * ray.iy, a.z * iz);
  const i32 exits = smallest_by_bits(b.x * ray.ix, b.y * ray.iy, b.z * iz);
  return entry <= exits && entry <= signed_bits_of(t);
}

}  // namespace ballotcast::detail
