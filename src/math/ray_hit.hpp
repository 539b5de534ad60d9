// Rays and hits, in the form that kernels use.
#pragma once

#include "ballotcast/ray.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// True if two hits have the same bits.
BC_HD inline bool same_bits(const Hit& a, const Hit& b) {
  return bits_of(a.t) == bits_of(b.t) && a.triangle == b.triangle && bits_of(a.u) == bits_of(b.u) &&
         bits_of(a.v) == bits_of(b.v);
}

/// The result that a cast computes for a ray: its closest hit, or whether there is any hit.
enum class RayKind : u32 { closest, any };

/// Infinity: a t_max without limit.
BC_HD inline float unbounded() { return float_of(0x7f800000u); }

/// An idle ray, which hits nothing. It fills slots of a batch that have no ray to cast.
BC_HD inline Ray idle_ray() { return {vec3(0.0f), 0.0f, vec3(0.0f, 0.0f, 1.0f), -1.0f}; }

/// The initial hit of a ray: a miss with t = t_max.
BC_HD inline Hit miss_of(const Ray& ray) { return {ray.t_max, kNoTriangle, 0.0f, 0.0f}; }

/// The record that a cast returns for RayKind::any. It only tells whether there is a hit, because
/// which hit is found first depends on the tree and on the traversal.
BC_HD inline Hit answer_of(const Ray& ray, bool found) {
  return {ray.t_max, found ? 0u : kNoTriangle, 0.0f, 0.0f};
}

}  // namespace ballotcast::detail
