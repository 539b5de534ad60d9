// Shadings: what a picture shows. Each shading is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr ShadingInfo info{"name", "what it shows", encoding, samples, needs};
//     BC_HD static void shade(PathVertex& vertex);
//   };
//
// `shade` is called after each cast for closest hits, for every path that has not ended. It may add
// radiance, ask for an occlusion ray, and set the path's next ray.
#pragma once

#include <string_view>

#include "kernels/shadings/shading_info.hpp"
#include "kernels/smooth.hpp"
#include "math/sampling.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// What all paths of a frame share.
struct ShadingView {
  SceneView scene;
  u32 bounces;  // how often a path may bounce, at most
};

/// A path at the end of one of its rays. The members up to `throughput` are the input of a shading.
/// `throughput` and the members below it are its output.
struct PathVertex {
  const ShadingView& view;
  // Index of the pixel in the picture. The random numbers depend on pixel, sample and dimension.
  u32 pixel;
  u32 sample;
  u32 depth;  // number of bounces so far; 0 for the camera's ray
  Ray ray;
  Hit hit;
  u32 visits;  // leaves that the ray visited, for shadings that need it
  vec3 throughput;

  vec3 radiance = vec3(0.0f);    // added to the path's sum
  vec3 soft = vec3(0.0f);        // added to the path's sum of soft light, which may be smoothed
  Ray occlusion = idle_ray();    // an occlusion ray to cast; if idle, none is cast
  vec3 unoccluded = vec3(0.0f);  // light to add if the occlusion ray hits nothing
  bool unoccluded_soft = false;  // true: `unoccluded` is soft light
  Ray next = idle_ray();         // the path's next ray; an idle ray ends the path
  Feature feature = {};          // of the camera ray's hit, in shadings that have soft light

  BC_HD vec2 random(u32 dimension) const {
    return sample_2d(pixel, sample, 8u * depth + dimension);
  }
};

/// The random dimension of the camera rays. Shadings use dimensions 1 to 7.
inline constexpr u32 kCameraDimension = 0;

/// A ray that leaves a surface towards `direction`. It starts slightly off the surface.
BC_HD inline Ray leaving(const SceneView& scene, const Surface& surface, vec3 direction,
                         float t_max) {
  return {surface.position + surface.geometric_normal * scene.offset, 0.0f, direction, t_max};
}

}  // namespace ballotcast::detail
