// Shadings: what a picture shows. Each is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr ShadingInfo info{"name", "what it shows", encoding, default samples, what it
//     needs}; BC_HD static void shade(PathVertex& vertex);
//   };
//
// `shade` is called for every path after each closest-hit cast, and may add radiance, ask whether a
// ray is free, and send the path on.
#pragma once

#include <string_view>

#include "math/sampling.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast {

/// How a shading's value becomes an 8-bit code.
enum class Encoding {
  srgb,   // linear light in [0, 1]
  light,  // linear light of any strength: exposed, highlights rolled off
  plain,  // shown as it is
};

/// A row of the table of shadings.
struct ShadingInfo {
  std::string_view name;
  std::string_view summary;
  Encoding encoding;
  u32 samples;     // a pixel, unless asked otherwise
  bool occlusion;  // does it ask whether rays are free?
  bool bounces;    // does it send paths on?
  bool visits;     // does it read the number of leaf visits?
};

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

  vec3 radiance;    // added to the path's sum
  Ray occlusion;    // when this ray is free...
  vec3 unoccluded;  // ...this is added too
  Ray next;         // the path's next ray; idle to end it

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

/// Farther than anything.
BC_HD inline float unbounded() { return float_of(0x7f800000u); }

}  // namespace ballotcast
