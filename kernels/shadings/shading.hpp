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

#include "kernels/shadings/depth_range.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "math/sampling.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// What all paths of a frame share.
struct ShadingView {
  SceneView scene;
  u32 bounces;         // how often a path may bounce, at most
  float camera_light;  // see FrameSettings
  DepthRange range;    // in shadings that need it
};

/// Light by how it is smoothed (kernels/smooth). Without smoothing, all of it is added up.
enum class LightKind : u32 {
  sharp,   // never smoothed: lamps and sky that are seen directly, and direct sunlight
  lamp,    // direct light of lamps
  ambient  // all other light: from the sky, and after a bounce
};
inline constexpr u32 kLightKinds = 3;

/// The light that a path gains if its occlusion ray hits nothing.
struct Unoccluded {
  vec3 light;
  LightKind kind;
};

/// The surface that a camera ray hit, for smoothing.
struct Feature {
  vec3 color{0.0f};
  vec3 normal{0.0f};
  vec3 position{0.0f};
  float hits = 0.0f;  // 1 if the ray hit a surface, else 0
};

/// A path at the end of one of its rays. The members up to `visits` are the input of a shading.
/// `throughput`, `density` and the members below them are its output; the first two are also input.
struct PathVertex {
  const ShadingView& view;
  SamplePlace place;  // for random numbers
  u32 depth;          // number of bounces so far; 0 for the camera's ray
  Ray ray;
  Hit hit;
  u32 visits;       // leaves that the ray visited, for shadings that need it
  vec3 throughput;  // the share of the light at this end of the path that reaches the camera
  float density;    // per solid angle, with which the ray's direction was chosen; 0: camera's ray

  vec3 light[kLightKinds] = {vec3(0.0f), vec3(0.0f), vec3(0.0f)};  // added to the path's sums
  Ray occlusion = idle_ray();  // an occlusion ray to cast; if idle, none is cast
  Unoccluded unoccluded = {vec3(0.0f), LightKind::sharp};  // if the occlusion ray hits nothing
  Ray next = idle_ray();  // the path's next ray; an idle ray ends the path
  Feature feature = {};   // of the camera ray's hit, in shadings that have light to smooth

  BC_HD void add(LightKind kind, vec3 more) {
    vec3& sum = light[static_cast<u32>(kind)];
    sum = sum + more;
  }
  BC_HD vec2 random(u32 dimension) const { return place.point(8u * depth + dimension); }
};

/// The random dimension of the camera rays. Shadings use dimensions 1 to 7.
inline constexpr u32 kCameraDimension = 0;

/// A ray that leaves a surface towards `direction`. It starts slightly off the surface.
BC_HD inline Ray leaving(const SceneView& scene, const Surface& surface, vec3 direction,
                         float t_max) {
  return {surface.position + surface.geometric_normal * scene.offset, 0.0f, direction, t_max};
}

}  // namespace ballotcast::detail
