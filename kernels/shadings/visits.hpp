#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Shows a heat map of the number of leaves that the camera ray visited: black for 0, then violet,
/// red, orange, yellow, white. 16 visits are the middle of the scale.
struct VisitsShading {
  static constexpr ShadingInfo info{"visits", "heat map of leaf visits, 16 in the middle",
                                    Encoding::plain, 1, kNeedsVisits};

  BC_HD static void shade(PathVertex& p) {
    const float visits = static_cast<float>(p.visits);
    p.add(LightKind::sharp, heat(visits / (visits + 16.0f)));
  }

  /// The colour of `value` in [0, 1]: linear interpolation between six colours, dark to light.
  BC_HD static vec3 heat(float value) {
    const vec3 colors[6] = {{0.0f, 0.0f, 0.02f},   {0.27f, 0.05f, 0.45f}, {0.65f, 0.12f, 0.40f},
                            {0.93f, 0.34f, 0.20f}, {0.99f, 0.72f, 0.22f}, {1.0f, 1.0f, 0.9f}};
    const float place = clamp_to(value, 0.0f, 1.0f) * 5.0f;
    const u32 index = place < 4.0f ? static_cast<u32>(place) : 4u;
    const float weight = place - static_cast<float>(index);
    return colors[index] * (1.0f - weight) + colors[index + 1u] * weight;
  }
};

}  // namespace ballotcast::detail
