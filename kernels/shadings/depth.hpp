#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// The distance from the eye: white at 0, mid-grey at half the scene's diagonal, black where
/// nothing was hit.
struct DepthShading {
  static constexpr ShadingInfo info{"depth", "distance from the eye, near is white",
                                    Encoding::plain, 4, kNeedsNothing};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) return;
    const vec3 direction = p.ray.direction;
    const float length = sqrtf(dot(direction, direction));
    const float half = 0.5f * p.view.scene.diagonal;
    p.add(LightKind::sharp, vec3(half / (half + p.hit.t * length)));
  }
};

}  // namespace ballotcast::detail
