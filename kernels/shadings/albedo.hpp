#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Shows the surface's own colour, textures included, without any light.
struct AlbedoShading {
  static constexpr ShadingInfo info{"albedo", "surface colour and textures, unlit", Encoding::srgb,
                                    4, kNeedsNothing};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) {
      add_srgb_background(p);
      return;
    }
    p.add(LightKind::sharp,
          color_at(p.view.scene, place_of(p.view.scene, p.hit.triangle), p.hit.u, p.hit.v));
  }
};

}  // namespace ballotcast::detail
