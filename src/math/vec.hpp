// Vectors and their functions.
#pragma once

#include "math/portable.hpp"
#include "math/vec_types.hpp"

namespace ballotcast::detail {

/// Component-wise minimum by `min_of`.
BC_HD inline vec3 min_of(vec3 a, vec3 b) {
  return {min_of(a.x, b.x), min_of(a.y, b.y), min_of(a.z, b.z)};
}

/// Component-wise maximum by `max_of`.
BC_HD inline vec3 max_of(vec3 a, vec3 b) {
  return {max_of(a.x, b.x), max_of(a.y, b.y), max_of(a.z, b.z)};
}

/// The product v * by, for templates over numbers and vectors; see times(float, float).
BC_HD inline vec3 times(vec3 v, float by) { return v * by; }

/// True unless a component is infinite or NaN.
BC_HD inline bool is_finite(vec2 v) { return is_finite(v.x) & is_finite(v.y); }
BC_HD inline bool is_finite(vec3 v) { return is_finite(v.x) & is_finite(v.y) & is_finite(v.z); }
BC_HD inline bool is_finite(dvec3 v) { return is_finite(v.x) & is_finite(v.y) & is_finite(v.z); }

/// The component of `v` on an axis: 0, 1 or 2.
BC_HD inline float component(vec3 v, u32 axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
BC_HD inline void set_component(vec3& v, u32 axis, float value) {
  (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value;
}

/// The largest |component|.
BC_HD inline float largest_magnitude(vec3 v) {
  return max_of(magnitude_of(v.x), max_of(magnitude_of(v.y), magnitude_of(v.z)));
}

/// `v` scaled to length 1. Returns `fallback` if `v` is zero, or if a component is infinite or at
/// least 3e38. No component may be NaN.
BC_HD inline vec3 unit_or(vec3 v, vec3 fallback) {
  // Divides by the largest component first, so that squaring neither overflows nor underflows.
  const float scale = largest_magnitude(v);
  if (!(scale > 0.0f && scale < 3.0e38f)) return fallback;
  divide_all(v.x, v.y, v.z, scale);
  divide_all(v.x, v.y, v.z, root_of(dot(v, v)));
  return v;
}

/// Returns `yes` or `no`. For templates that also process eight vectors at once (simd.hpp).
BC_HD inline vec3 select(bool which, vec3 yes, vec3 no) { return which ? yes : no; }

/// The luminance of a linear colour (Rec. 709).
BC_HD inline float luminance_of(vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

}  // namespace ballotcast::detail
