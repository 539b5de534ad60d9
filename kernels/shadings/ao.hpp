#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Shows ambient occlusion: the share of cosine-distributed rays that hit nothing within a tenth of
/// the scene's diagonal.
struct AoShading {
  static constexpr ShadingInfo info{"ao", "ambient occlusion within a tenth of the scene",
                                    Encoding::srgb, 16, kNeedsOcclusion};

  BC_HD static void shade(PathVertex& p) {
    if (!p.hit.found()) {
      add_srgb_background(p);
      return;
    }
    const SceneView& scene = p.view.scene;
    const Surface s = surface_at(scene, p.ray, p.hit);
    const vec3 direction = cosine_direction(s.normal, p.random(1));
    if (!(dot(direction, s.geometric_normal) > 0.0f)) return;
    p.occlusion = leaving(scene, s, direction, 0.1f * scene.diagonal);
    p.unoccluded.light = vec3(1.0f);
  }
};

}  // namespace ballotcast::detail
