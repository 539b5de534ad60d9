#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Which side of a surface is seen: blue-grey if the triangle's corners run counter-clockwise in
/// the picture, red if they run clockwise. Surfaces at grazing angles are darker.
struct FacingShading {
  static constexpr ShadingInfo info{"facing", "front sides blue-grey, back sides red",
                                    Encoding::plain, 4, kNeedsNothing};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) {
      add_plain_background(p);
      return;
    }
    const Surface s = surface_at(p.view.scene, p.ray, p.hit);
    const vec3 backward = -unit_or(p.ray.direction, vec3(0.0f, 0.0f, 1.0f));
    const float slant = 0.25f + 0.75f * clamp_to(dot(s.geometric_normal, backward), 0.0f, 1.0f);
    p.add(LightKind::sharp,
          (s.front ? vec3(0.62f, 0.74f, 0.86f) : vec3(0.9f, 0.28f, 0.22f)) * slant);
  }
};

}  // namespace ballotcast::detail
