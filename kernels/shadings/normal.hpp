#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Shows the shading normal, with each component mapped from [-1, 1] to [0, 1].
struct NormalShading {
  static constexpr ShadingInfo info{"normal", "shading normal, -1..1 as 0..1", Encoding::plain, 4,
                                    kNeedsNothing};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) {
      add_plain_background(p);
      return;
    }
    p.add(LightKind::sharp, surface_at(p.view.scene, p.ray, p.hit).normal * 0.5f + vec3(0.5f));
  }
};

}  // namespace ballotcast::detail
