// Moves rays with a far origin close to the scene before they are cast.
//
// Why: rounding errors grow with the distance of a ray's origin, and the boxes must grow with them
// (`box_slack`). Seen from a million scene sizes away, every box would cover the whole scene, and
// the ray would be tested against every triangle. So a far ray is first moved along its direction
// to a plane in front of the scene:
//
//     given.origin                         moved origin
//          o ---------- shift ----------------> o ------- t of the moved ray -----> hit
//          o ---------------------- t of the given ray ---------------------------> hit
//
// M is the largest absolute coordinate of the scene. k is the axis on which the direction has its
// largest absolute component.
//
// - Which rays are far: those with an origin coordinate whose absolute value exceeds kFarOrigin *
//   M. All other rays are cast unchanged.
// - Where the origin moves: to the plane at distance 2 M on axis k, on the side that the ray comes
//   from. `shift` is a double. Each coordinate of the moved origin is origin + shift * direction,
//   rounded once to double and then to float. Both can be recomputed from the given ray and M, so
//   they are not stored.
// - Distance between moved and given ray: the directions are equal. The moved origin is off by at
//   most 2^-24 (1 + 2^-20) of its coordinate, per axis. This coordinate is at most 4 M if the ray
//   meets the scene's box, so the ray is off by at most 2^-22 M. That is less than the error which
//   `box_slack` allows for a ray that starts there. Edges and corners stay watertight, because the
//   moved ray is a ray like any other. But if the given ray passes an edge at a smaller distance
//   than that, the moved ray may pass the edge on the other side.
// - t of a hit: t of the moved ray + shift, rounded to double and then to float. The error is at
//   most (1/2 + 2^-28) ulp, plus the error of the moved ray's t. From far away many hits have the
//   same t, because a float has no more digits.
// - Which hits count: those whose rounded t is in (t_min, t_max] of the given ray.
// - Order of hits: by t of the moved ray, then by id. The moved ray's t distinguishes distances
//   that are equal in the given ray's t.
//
// Every step is a single +, -, *, fma or `reciprocal`, rounded as in IEEE 754, so all machines
// compute the same bits.
#pragma once

#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// An origin is far if a coordinate exceeds this multiple of the scene's largest absolute
/// coordinate.
inline constexpr float kFarOrigin = 64.0f;

/// True if the ray must be moved before it is cast.
BC_HD inline bool is_far(const Ray& ray, float scene_magnitude) {
  return largest_magnitude(ray.origin) > kFarOrigin * scene_magnitude;
}

/// The distance by which a far ray is moved, in units of its direction. `origin` and `slope` are
/// the components of the ray's origin and direction on axis k. Two Newton steps replace a division,
/// which would take more registers on a GPU.
BC_HD inline double far_shift(float origin, float slope, float scene_magnitude) {
  const double d = slope, inverse = reciprocal(slope);
  const double plane = times(slope > 0.0f ? -2.0 : 2.0, double{scene_magnitude});
  const double way = plane - origin;
  const double shift = way * inverse;
  const double better = fused(fused(-d, shift, way), inverse, shift);
  return fused(fused(-d, better, way), inverse, better);
}

/// Converts t of the moved ray to t of the given ray.
BC_HD inline float far_t(float moved_t, double shift) {
  return static_cast<float>(double{moved_t} + shift);
}

/// Maps the bits of a float (not NaN) to an integer, so that these integers are in the order of the
/// floats. The function is its own inverse.
BC_HD inline i32 in_order(i32 bits) { return bits >= 0 ? bits : bits ^ 0x7fffffff; }

/// Returns the largest t of the moved ray in [low, high] that is at most `t` when it is converted
/// to the given ray, or `low` if there is none.
BC_HD inline float moved_limit(float t, double shift, float low, float high) {
  if (far_t(high, shift) <= t) return high;
  // Bisection over the floats from `low` to `high`. The result is one of the `gap` floats from
  // `below` on. The numbers are unsigned, because the gap may exceed 2^31.
  u32 below = static_cast<u32>(in_order(signed_bits_of(low)));
  u32 gap = static_cast<u32>(in_order(signed_bits_of(high))) - below;
  BC_NO_UNROLL
  while (gap > 1u) {
    const u32 half = gap / 2u;
    const float middle = float_of(static_cast<u32>(in_order(static_cast<i32>(below + half))));
    const bool fits = far_t(middle, shift) <= t;
    below = fits ? below + half : below;
    gap = fits ? gap - half : half;
  }
  return float_of(static_cast<u32>(in_order(static_cast<i32>(below))));
}

/// One coordinate of the moved origin.
BC_HD inline float moved_coordinate(float origin, float slope, double shift) {
  return static_cast<float>(fused(double{slope}, shift, double{origin}));
}

/// The ray that is cast in place of a far ray.
struct MovedRay {
  Ray ray;  // its interval of t is empty if no hit can count
  double shift;
};

/// Moves a far ray. Invalid rays stay unchanged.
BC_HD inline MovedRay moved_near(Ray ray, float scene_magnitude) {
  if (!is_valid(ray)) return {ray, 0.0};
  const u32 k = longest_axis(ray.direction);
  const float d = component(ray.direction, k);
  const double shift = far_shift(component(ray.origin, k), d, scene_magnitude);
  ray.origin.x = moved_coordinate(ray.origin.x, ray.direction.x, shift);
  ray.origin.y = moved_coordinate(ray.origin.y, ray.direction.y, shift);
  ray.origin.z = moved_coordinate(ray.origin.z, ray.direction.z, shift);
  // On axis k the scene lies between -M and M. Hits may lie outside by the slack.
  const float wide = times(1.5f, scene_magnitude) +
                     box_slack(max_of(scene_magnitude, largest_magnitude(ray.origin)));
  const float start = -component(ray.origin, k), inverse = reciprocal(d);
  const float low = (start - (d > 0.0f ? wide : -wide)) * inverse;
  const float high = (start + (d > 0.0f ? wide : -wide)) * inverse;
  ray.t_min = moved_limit(ray.t_min, shift, low, high);
  ray.t_max = moved_limit(ray.t_max, shift, low, high);
  return {ray, shift};
}

/// A ray that is ready to be cast: moved if the given ray is far, with its RaySetup.
struct RayToCast {
  Ray ray;
  RaySetup setup;
  double shift;  // t of the given ray is t of `ray` plus this shift; 0 if the ray was not moved
  bool moved;
};

/// The ray to cast for a given ray.
BC_HD inline RayToCast ray_to_cast(const Ray& given_ray, float scene_magnitude) {
  const bool far = is_far(given_ray, scene_magnitude);
  const MovedRay ray = far ? moved_near(given_ray, scene_magnitude) : MovedRay{given_ray, 0.0};
  return {ray.ray, make_setup(ray.ray, scene_magnitude), ray.shift, far};
}

/// Converts the hit of the moved ray into the hit of the far ray. Not inlined, because inlining
/// takes 8 more registers in pipeline block.
BC_HD BC_COLD inline void give_back(const Ray& far, float scene_magnitude, Hit& hit) {
  const u32 k = longest_axis(far.direction);
  const float origin = component(far.origin, k), slope = component(far.direction, k);
  hit.t = hit.found() ? far_t(hit.t, far_shift(origin, slope, scene_magnitude)) : far.t_max;
}

/// A Hit that stores t_max and `shift` of a far ray, in place of the ray's hit while it is cast.
BC_HD inline Hit far_note(float t_max, double shift) {
  u64 bits;
  memcpy(&bits, &shift, sizeof bits);
  return {t_max, kNoTriangle, float_of(static_cast<u32>(bits)),
          float_of(static_cast<u32>(bits >> 32))};
}

/// The t of the given ray's hit, computed from `note`, which far_note made, and from the hit of the
/// moved ray.
BC_HD inline float noted_t(const Hit& note, const Hit& hit) {
  const u64 bits = u64{bits_of(note.v)} << 32 | bits_of(note.u);
  double shift;
  memcpy(&shift, &bits, sizeof shift);
  return hit.found() ? far_t(hit.t, shift) : note.t;
}

/// Converts the hit of the ray that was cast into the hit of the given ray. The two hits differ
/// only if the given ray is far.
BC_HD inline void give_back_if_far(const Ray& given_ray, float scene_magnitude, Hit& hit) {
  if (is_far(given_ray, scene_magnitude)) give_back(given_ray, scene_magnitude, hit);
}

/// The record that a cast returns for a given ray, where `hit` is the hit of the ray that was cast.
BC_HD inline Hit given_hit(const Ray& given_ray, float scene_magnitude, RayKind kind, Hit hit) {
  if (kind == RayKind::any) return answer_of(given_ray, hit.found());
  give_back_if_far(given_ray, scene_magnitude, hit);
  return hit;
}

}  // namespace ballotcast::detail
