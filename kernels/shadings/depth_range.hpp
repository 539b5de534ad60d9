// The range of distances that a picture shows, and the grey of each distance.
#pragma once

#include "math/ray_hit.hpp"

namespace ballotcast::detail {

/// The distance from the origin of `ray` to its hit.
BC_HD inline float distance_of(const Ray& ray, const Hit& hit) {
  const vec3 direction = ray.direction;
  return hit.t * sqrtf(dot(direction, direction));
}

/// Maps distances from the eye to greys: `near` becomes white, `far` a dark grey that is not the
/// background's black, and `middle` the grey half way between them.
struct DepthRange {
  float near = 0.0f;
  float middle = 1.0f;
  float far = 2.0f;

  static constexpr float kFarGrey = 0.12f;

  BC_HD float grey_of(float distance) const {
    // A hyperbola through (near, 0), (middle, 1/2) and (far, 1). It is a straight line if `middle`
    // is half way between the others.
    const float past = clamp_to(distance, near, far) - near;
    const float left = far - near - past;
    const float a = past * (far - middle), b = left * (middle - near);
    const float share = a + b > 0.0f ? a / (a + b) : 0.0f;
    return 1.0f - (1.0f - kFarGrey) * share;
  }
};

}  // namespace ballotcast::detail
