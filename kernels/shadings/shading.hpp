// Shadings: what a picture shows. Each is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr ShadingInfo info{"name", "what it shows", encoding, samples, needs};
//     BC_HD static void shade(PathVertex& vertex);
//   };
//
// `shade` is called for every path after each closest-hit cast, and may add radiance, ask whether a
// ray is free, and send the path on.
#pragma once

#include <string_view>

#include "kernels/shadings/shading_info.hpp"
#include "kernels/smooth.hpp"
#include "math/sampling.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// What the whole frame shares.
struct ShadingView {
  SceneView scene;
  u32 bounces;  // paths may go on this many times
};

/// A path at the end of a ray: what is known, and what shading wants done.
struct PathVertex {
  const ShadingView& view;
  u32 pixel;  // index in the picture: with `sample` and a dimension, the key of all randomness
  u32 sample;
  u32 depth;  // 0 for the camera's ray
  Ray ray;
  Hit hit;
  u32 visits;  // leaves the ray visited, for shadings that need it
  vec3 throughput;

  vec3 radiance = vec3(0.0f);    // added to the path's sum
  vec3 soft = vec3(0.0f);        // the same, of light that may be smoothed
  Ray occlusion = idle_ray();    // when this ray is free...
  vec3 unoccluded = vec3(0.0f);  // ...this is added too
  bool unoccluded_soft = false;  // ...to the light that may be smoothed
  Ray next = idle_ray();         // the path's next ray; idle to end it
  Feature feature = {};          // of the camera's hit, where soft light is told apart

  BC_HD vec2 random(u32 dimension) const {
    return sample_2d(pixel, sample, 8u * depth + dimension);
  }
};

/// The dimension of the camera's own sample; shadings use 1 to 7.
inline constexpr u32 kCameraDimension = 0;

/// A ray from a surface, clear of it, towards `direction`.
BC_HD inline Ray leaving(const SceneView& scene, const Surface& surface, vec3 direction,
                         float t_max) {
  return {surface.position + surface.geometric_normal * scene.offset, 0.0f, direction, t_max};
}

}  // namespace ballotcast::detail
