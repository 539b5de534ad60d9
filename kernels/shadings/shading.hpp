// Shadings: what a picture shows. Each shading is one file here and one row in shadings.hpp:
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

/// The data that all paths of a frame share.
struct ShadingView {
  SceneView scene;
  u32 bounces;         // the most bounces of a path
  float camera_light;  // radiance from the lamp at the camera; see FrameSettings
  DepthRange range;    // the distances that shading `depth` maps to white and dark grey
  bool hides_sky;      // paths whose camera ray hits nothing end without light
};

/// Kinds of light that are smoothed differently (kernels/smooth). Without smoothing, a pixel is the
/// sum of all kinds.
enum class LightKind : u32 {
  sharp,   // never smoothed: lamps and sky that are seen directly, and direct sunlight
  lamp,    // direct light of lamps
  ambient  // all other light: from the sky, and after a bounce
};
inline constexpr u32 kLightKinds = 3;

// The data of a path is stored in units of 16 bytes, because a GPU stores such a unit by one
// instruction. Three floats alone would take three instructions.

/// The light that a path gains if its occlusion ray hits nothing.
struct alignas(16) Unoccluded {
  vec3 light;
  LightKind kind;
};

/// Values of PathVertex::since_shown that are not numbers of bounces.
inline constexpr u32 kNotShown = 0xffffffffu;  // so far, the path met only mirrors and glass
// The surface that the sample shows has mirrored the path, so all further light is a reflection.
inline constexpr u32 kAlwaysSharp = 0xfffffffeu;

/// The surface that a sample of a pixel shows, for smoothing: the first surface on its path that is
/// neither a mirror nor glass.
struct alignas(16) Feature {
  vec3 color{0.0f};
  float hits = 0.0f;  // 1 if there is such a surface, else 0
  vec3 normal{0.0f};
  float emits = 0.0f;  // 1 if the surface is a lamp that shines there, else 0
  vec3 position{0.0f};
  float padding_of_position = 0.0f;
};

/// The dimensions of random numbers for paths (PathVertex::random).
enum PathDimension : u32 { kLight = 1, kPointOfLight = 2, kDirection = 3, kChoices = 4 };

/// The unit vector that stands for a ray's direction if that is 0.
BC_HD inline vec3 without_direction() { return {0.0f, -1.0f, 0.0f}; }

/// Values that a machine may compute for several paths together before it shades them. The
/// functions of PathVertex would compute the same bits.
struct PreparedVertex {
  SamplePlace place;
  vec3 to_eye;
  Surface surface;
  vec2 random;  // the random numbers of dimension kDirection
  vec3 cosine;  // cosine_sample(random)
};

/// A path at the end of one of its rays. The members up to `visits` are inputs of a shading.
/// `throughput`, `density` and `since_shown` are inputs and outputs. The members from `light` to
/// `feature` are outputs. `prepared` is an input.
struct PathVertex {
  const ShadingView& view;
  SamplePlace place;  // determines the random numbers
  u32 depth;          // number of bounces so far; 0 for the camera's ray
  Ray ray;
  Hit hit;
  u32 visits;       // number of leaves that the ray visited, for shadings that need it
  vec3 throughput;  // the share of the light at this end of the path that reaches the camera
  // The probability per solid angle with which the ray's direction was chosen. 0: there was no
  // choice, as for camera rays and mirrors.
  float density;
  u32 since_shown;  // number of bounces after the surface that the sample shows; or kNotShown

  vec3 light[kLightKinds] = {vec3(0.0f), vec3(0.0f), vec3(0.0f)};  // added to the path's sums
  Ray occlusion = idle_ray();  // an occlusion ray to cast; if idle, none is cast
  // The light to add if the occlusion ray hits nothing.
  Unoccluded unoccluded = {vec3(0.0f), LightKind::sharp};
  Ray next = idle_ray();  // the path's next ray; an idle ray ends the path
  Feature feature = {};   // the surface that the sample shows; set when the path reaches it

  // Values computed before for this vertex, if the ray hits something; else null.
  const PreparedVertex* prepared = nullptr;

  BC_HD void add(LightKind kind, vec3 more) {
    // This does not index light[kind]: an index that the compiler does not know would keep the
    // whole vertex in memory, not in registers.
    BC_UNROLL
    for (u32 k = 0; k < kLightKinds; ++k)
      if (k == static_cast<u32>(kind)) light[k] = light[k] + more;
  }
  /// The kind of light that arrives along the occlusion ray: `kind` if this vertex is on the
  /// surface that the sample shows, else ambient or sharp (kind_after).
  BC_HD LightKind kind_asked(LightKind kind) const { return kind_after(since_shown, kind); }
  /// The kind of light that the path's ray has found: `kind` if the ray comes from the surface that
  /// the sample shows, else ambient or sharp (kind_after).
  BC_HD LightKind kind_found(LightKind kind) const { return kind_after(since_shown - 1u, kind); }
  BC_HD vec2 random(u32 dimension) const { return place.point(random_dimension(depth, dimension)); }
  BC_HD static u32 random_dimension(u32 depth, u32 dimension) { return 8u * depth + dimension; }

  /// The direction back along the ray, of length 1.
  BC_HD vec3 to_eye() const {
    return prepared ? prepared->to_eye : -unit_or(ray.direction, without_direction());
  }
  /// The surface at a hit; `at` is the hit's triangle and instance.
  BC_HD Surface surface(TrianglePlace at) const {
    return prepared ? prepared->surface : surface_at(view.scene, ray, hit, at);
  }
  BC_HD DirectionSample direction() const {
    return prepared ? DirectionSample(prepared->random, &prepared->cosine)
                    : DirectionSample(random(kDirection));
  }

 private:
  BC_HD LightKind kind_after(u32 bounces, LightKind kind) const {
    if (since_shown >= kAlwaysSharp) return LightKind::sharp;
    return bounces == 0u ? kind : LightKind::ambient;
  }
};

/// The random dimensions of camera rays: the position in the pixel, and the position on the lens.
/// Shadings use dimensions 1 to 6.
inline constexpr u32 kCameraDimension = 0;
inline constexpr u32 kLensDimension = 7;

/// A ray that leaves a surface in a direction. The ray starts slightly off the surface, on the side
/// to which it goes, so that it does not hit that surface again.
BC_HD inline Ray leaving(const SceneView& scene, const Surface& surface, vec3 direction,
                         float t_max) {
  const float off = dot(surface.geometric_normal, direction) < 0.0f ? -scene.offset : scene.offset;
  return {surface.position + surface.geometric_normal * off, 0.0f, direction, t_max};
}

// The background that shadings other than `lit` show where a camera ray hits nothing.

/// A bluish dark grey, a little lighter at the top than at the bottom, as 8-bit codes / 255. Both
/// white and black surfaces stand out against it.
BC_HD inline vec3 background_codes(const PathVertex& p) {
  const float height = dot(unit_or(p.ray.direction, vec3(0.0f)), p.view.scene.sky.up);  // -1 to 1
  const float grey = 0.28f + 0.14f * clamp_to(0.75f + height, 0.0f, 1.0f);
  return vec3(0.96f, 1.0f, 1.06f) * grey;
}

/// Adds the background of shadings with Encoding::plain.
BC_HD inline void add_plain_background(PathVertex& p) {
  p.add(LightKind::sharp, background_codes(p));
}

/// Adds the background of shadings with Encoding::srgb. A square approximates the curve of sRGB
/// well enough.
BC_HD inline void add_srgb_background(PathVertex& p) {
  const vec3 codes = background_codes(p);
  p.add(LightKind::sharp, codes * codes);
}

}  // namespace ballotcast::detail
