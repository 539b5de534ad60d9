// Rays from far away are cast from nearby.
//
// Rounding grows with a ray's origin, and so do the boxes that must allow for it (`box_slack`):
// from a million scene sizes away they would hold the whole scene, and every triangle would be
// tested. So a ray from far away is first moved along itself, to a plane before the scene:
//
//     given.origin                         moved origin
//          o ---------- shift ----------------> o ------- t of the moved ray -----> hit
//          o ---------------------- t of the given ray ---------------------------> hit
//
// With M the scene's largest |coordinate| and k the axis along which the direction is longest:
//
// - Which rays: those of which a coordinate of the origin exceeds kFarOrigin * M. All others are
//   cast as they are.
// - Where to: the plane at 2 M along k, on the side where the ray comes from. `shift` is a double;
//   each coordinate of the moved origin is origin + shift * direction, rounded once to a double and
//   then to a float. Whoever knows the given ray and M can work both out again: nobody has to store
//   them.
// - How far the moved ray is from the given one: it has the same direction, and along each axis it
//   is off by at most 2^-24 (1 + 2^-20) of the moved origin's coordinate. Where the ray meets the
//   scene's box, that coordinate is at most 4 M: off by 2^-22 M, less than a ray that starts there
//   is allowed to be off (`box_slack`). The moved ray is one ray: edges and corners are as tight
//   for it as for any other. Where the given ray passes an edge at less than that distance, the
//   moved one may pass it on the other side.
// - t of a hit: t of the moved ray + shift, rounded to a double and then to a float: off by at most
//   (1/2 + 2^-28) ulp, and by what t of the moved ray is off. From far away many hits have an equal
//   t: a float has no more digits.
// - Which hits count: those whose t, rounded so, lies in the given ray's (t_min, t_max].
// - Order: by t of the moved ray, which tells nearer from farther where the given ray's t doesn't,
//   then by id.
//
// Every step is one +, -, *, fma or `reciprocal` that IEEE 754 rounds: the same bits on every
// machine. What is BC_COLD stays out of the kernels' loops: on a GPU it takes the registers that
// they have anyway, and no stack.
#pragma once

#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// How many times the scene's largest |coordinate| an origin is near.
inline constexpr float kFarOrigin = 64.0f;

/// Is the ray cast from another place than its origin?
BC_HD inline bool is_far(const Ray& ray, float scene_magnitude) {
  return largest_magnitude(ray.origin) > kFarOrigin * scene_magnitude;
}

/// How far along itself a far ray is moved, in units of its direction: a division by two of
/// Newton's steps, which on a GPU takes fewer registers than one.
BC_HD BC_COLD inline double far_shift(float origin, float slope, float scene_magnitude) {
  const double d = slope, inverse = reciprocal(slope);
  const double plane = (slope > 0.0f ? -2.0 : 2.0) * scene_magnitude;
  const double way = plane - origin;
  const double shift = way * inverse;
  const double better = fused(fused(-d, shift, way), inverse, shift);
  return fused(fused(-d, better, way), inverse, better);
}

/// The given ray's t, of the moved ray's.
BC_HD inline float far_t(float moved_t, double shift) {
  return static_cast<float>(double{moved_t} + shift);
}

/// Floats but for NaN as integers in their order; and back.
BC_HD inline i32 in_order(i32 bits) { return bits >= 0 ? bits : bits ^ 0x7fffffff; }

/// The largest t of the moved ray in [low, high] that isn't above `t` of the given one; `low` where
/// all are.
BC_HD BC_COLD inline float moved_limit(float t, double shift, float low, float high) {
  if (far_t(high, shift) <= t) return high;
  i32 below = in_order(signed_bits_of(low)), above = in_order(signed_bits_of(high));
  while (below + 1 < above) {
    const i32 middle = static_cast<i32>((static_cast<std::int64_t>(below) + above) / 2);
    const bool fits = far_t(float_of(static_cast<u32>(in_order(middle))), shift) <= t;
    (fits ? below : above) = middle;
  }
  return float_of(static_cast<u32>(in_order(below)));
}

/// A coordinate of the moved origin.
BC_HD BC_COLD inline float moved_coordinate(float origin, float slope, double shift) {
  return static_cast<float>(fused(double{slope}, shift, double{origin}));
}

/// What is cast for a far ray.
struct MovedRay {
  Ray ray;  // asks nothing where no hit could count
  double shift;
};

/// Moves a far ray. Rays that hold what no ray may hold stay as they are.
BC_HD BC_COLD inline MovedRay moved_near(Ray ray, float scene_magnitude) {
  const u32 k = longest_axis(ray.direction);
  const float d = component(ray.direction, k), longest = magnitude_of(d);
  if (!(longest >= kSmallestSlope && longest <= kLargestSlope && ray.asks() &&
        largest_magnitude(ray.origin) <= kLargestCoordinate))
    return {ray, 0.0};
  const double shift = far_shift(component(ray.origin, k), d, scene_magnitude);
  ray.origin.x = moved_coordinate(ray.origin.x, ray.direction.x, shift);
  ray.origin.y = moved_coordinate(ray.origin.y, ray.direction.y, shift);
  ray.origin.z = moved_coordinate(ray.origin.z, ray.direction.z, shift);
  // The scene lies between the planes at -M and M along k, and hits within the slack of that.
  const float wide =
      1.5f * scene_magnitude + box_slack(max_of(scene_magnitude, largest_magnitude(ray.origin)));
  const float start = -component(ray.origin, k), inverse = reciprocal(d);
  const float low = (start - (d > 0.0f ? wide : -wide)) * inverse;
  const float high = (start + (d > 0.0f ? wide : -wide)) * inverse;
  ray.t_min = moved_limit(ray.t_min, shift, low, high);
  ray.t_max = moved_limit(ray.t_max, shift, low, high);
  return {ray, shift};
}

/// What is cast for a given ray: a ray near the scene.
BC_HD inline Ray near_ray(const Ray& given, float scene_magnitude) {
  return is_far(given, scene_magnitude) ? moved_near(given, scene_magnitude).ray : given;
}

/// Makes the moved ray's hit that of the far ray.
BC_HD BC_COLD inline void give_back(const Ray& far, float scene_magnitude, Hit& hit) {
  const u32 k = longest_axis(far.direction);
  const float origin = component(far.origin, k), slope = component(far.direction, k);
  hit.t = hit.found() ? far_t(hit.t, far_shift(origin, slope, scene_magnitude)) : far.t_max;
}

/// What a far ray leaves where its hit will be, until then: the shift and t_max.
BC_HD inline Hit far_note(float t_max, double shift) {
  u64 bits;
  std::memcpy(&bits, &shift, sizeof bits);
  return {t_max, kNoTriangle, float_of(static_cast<u32>(bits)),
          float_of(static_cast<u32>(bits >> 32))};
}

/// The given ray's t, of such a note and the moved ray's hit.
BC_HD inline float noted_t(const Hit& note, const Hit& hit) {
  const u64 bits = u64{bits_of(note.v)} << 32 | bits_of(note.u);
  double shift;
  std::memcpy(&shift, &bits, sizeof shift);
  return hit.found() ? far_t(hit.t, shift) : note.t;
}

/// Makes the hit of the ray that was cast that of the given one.
BC_HD inline void give_back_if_far(const Ray& given, float scene_magnitude, Hit& hit) {
  if (is_far(given, scene_magnitude)) give_back(given, scene_magnitude, hit);
}

}  // namespace ballotcast::detail
