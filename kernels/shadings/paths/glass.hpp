// How glass reflects and refracts light.
#pragma once

#include "kernels/shadings/paths/reflection.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// A point of a smooth surface of glass.
struct Glass {
  vec3 normal;   // of length 1, on the eye's side
  vec3 color;    // colour of the light that passes through
  float inside;  // index of refraction on the other side, divided by the one on the eye's side
  bool thin;     // true: a thin pane, through which light goes straight on

  /// Chooses between reflection and refraction. Each of them has only one possible direction.
  /// `choice` is a random number in [0, 1).
  BC_HD Bounce bounce(vec3 to_eye, float choice) const {
    const float cosine = clamp_to(dot(normal, to_eye), 0.0f, 1.0f);
    const float refracted2 = 1.0f - (1.0f - cosine * cosine) / (inside * inside);
    const float refracted = sqrtf(max_of(refracted2, 0.0f));
    const float once = refracted2 > 0.0f ? reflectance(cosine, refracted) : 1.0f;
    // A pane has two surfaces. Light may be reflected between them any number of times.
    const float mirror = thin ? 2.0f * once / (1.0f + once) : once;
    if (choice < mirror) return {mirrored(to_eye, normal), vec3(1.0f), 0.0f};
    if (thin) return {-to_eye, color, 0.0f};
    const float ratio = 1.0f / inside;
    const vec3 direction = normal * (ratio * cosine - refracted) - to_eye * ratio;
    // Inside, radiance is larger by the square of the index of refraction. Light that enters leaves
    // again, so this factor cancels and is left out on both ways.
    return {unit_or(direction, -normal), color, 0.0f};
  }

 private:
  /// The share of light that is reflected, by Fresnel's equations for unpolarized light. The
  /// arguments are the cosines of the angles of the ray and of the refracted ray to the normal.
  BC_HD float reflectance(float cosine, float refracted) const {
    const float across = (cosine - inside * refracted) / (cosine + inside * refracted);
    const float along = (inside * cosine - refracted) / (inside * cosine + refracted);
    return 0.5f * (across * across + along * along);
  }
};

}  // namespace ballotcast::detail
