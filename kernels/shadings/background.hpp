// The background that shadings other than `lit` show where a camera ray hits nothing.
#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// A bluish dark grey, a little lighter at the top than at the bottom, as 8-bit codes / 255. Both
/// white and black surfaces stand out against it.
BC_HD inline vec3 background_codes(const PathVertex& p) {
  const float height = dot(unit_or(p.ray.direction, vec3(0.0f)), p.view.scene.sky.up);  // -1 to 1
  const float grey = 0.28f + 0.14f * clamp_to(0.75f + height, 0.0f, 1.0f);
  return vec3(0.96f, 1.0f, 1.06f) * grey;
}

/// The background in a shading with Encoding::plain.
BC_HD inline void add_plain_background(PathVertex& p) {
  p.add(LightKind::sharp, background_codes(p));
}

/// The background in a shading with Encoding::srgb. A square approximates the curve of sRGB well
/// enough.
BC_HD inline void add_srgb_background(PathVertex& p) {
  const vec3 codes = background_codes(p);
  p.add(LightKind::sharp, codes * codes);
}

}  // namespace ballotcast::detail
