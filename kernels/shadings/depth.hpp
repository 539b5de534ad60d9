#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Shows the distance from the eye: white for the nearest surface in the picture, dark grey for the
/// farthest, black where nothing is hit.
struct DepthShading {
  static constexpr ShadingInfo info{"depth", "distance from the eye, near is white, far is dark",
                                    Encoding::plain, 4, kNeedsRange};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) return;
    p.add(LightKind::sharp, vec3(p.view.range.grey_of(distance_of(p.ray, p.hit))));
  }
};

}  // namespace ballotcast::detail
