// The first and the last step of a frame: from pixels to camera rays, and from radiance to pixels.
#pragma once

#include "image/image.hpp"
#include "image/srgb.hpp"
#include "image/white_balance.hpp"
#include "kernels/smooth/patches.hpp"
#include "kernels/tiles.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// The paths that are followed at once: some samples of some of the pixels. Path i is sample
/// `first_sample + i % samples` of the tiling's pixel number i / samples.
struct PathRange {
  Tiling tiling;
  u32 first_sample;
  u32 samples;          // per pixel, in this range
  u32 samples_a_pixel;  // per pixel, in the whole frame

  /// The place of path i, from which its random numbers follow.
  BC_HD SamplePlace sample_of(u32 i) const {
    const PixelPlace at = tiling.place(i / samples);
    return sample_place(at.x, at.y, first_sample + i % samples, samples_a_pixel);
  }
  BC_HD u32 paths() const { return tiling.pixels() * samples; }
};

/// The state of all paths of a range. Element i of every array belongs to path i.
struct PathArrays {
  Ray* rays;
  Hit* hits;
  u32* visits;  // leaves visited by the camera ray; may be null
  Ray* occlusion_rays;
  Hit* occlusion_hits;
  Unoccluded* unoccluded;
  vec3* throughput;
  float* density;    // of the ray; see PathVertex
  u32* since_shown;  // see PathVertex
  // Sums of light by kind. If nothing is smoothed, all is in the first, and the others are null.
  vec3* light[kLightKinds];
  u32* casts;         // the number of rays that the path has cast
  Feature* features;  // null if nothing is smoothed

  /// The sum of the path's light to which light of this kind is added.
  BC_HD vec3& sum_of(LightKind kind, u32 path) const {
    vec3* const own = kind == LightKind::sharp  ? light[0]
                      : kind == LightKind::lamp ? light[1]
                                                : light[2];
    return own ? own[path] : light[0][path];
  }
};

/// The camera ray of a sample of the pixel `at`. With one sample per pixel the ray goes through the
/// pixel's centre; with more, the samples are spread over the pixel.
BC_HD inline Ray camera_ray(const CameraView& camera, PixelPlace at, SamplePlace sample,
                            u32 samples_a_pixel) {
  const vec2 spot = samples_a_pixel == 1u ? vec2(0.5f) : sample.point(kCameraDimension);
  const Ray ray =
      ray_through(camera, static_cast<float>(at.x) + spot.x, static_cast<float>(at.y) + spot.y);
  return camera.sharpness > 0.0f
             ? through_lens(camera, ray, disk_sample(sample.point(kLensDimension)))
             : ray;
}

/// Creates the camera ray of each path.
struct CameraRays {
  BC_HD static void item(u32 i, PathRange range, CameraView camera, PathArrays paths) {
    const PixelPlace at = range.tiling.place(i / range.samples);
    paths.rays[i] = camera_ray(camera, at, range.sample_of(i), range.samples_a_pixel);
    paths.throughput[i] = vec3(1.0f);
    paths.density[i] = 0.0f;
    paths.since_shown[i] = kNotShown;
    if (paths.features) paths.features[i] = {};
    for (vec3* const light : paths.light)
      if (light) light[i] = vec3(0.0f);
    paths.casts[i] = 1u;
  }
};

/// Calls the shading for each path that is still alive.
template <class Shading>
struct ShadePaths {
  BC_HD static void item(u32 i, PathRange range, ShadingView view, u32 depth, PathArrays paths) {
    const Ray ray = paths.rays[i];
    paths.occlusion_rays[i] = idle_ray();
    if (!ray.asks()) return;
    PathVertex vertex{view,
                      range.sample_of(i),
                      depth,
                      ray,
                      paths.hits[i],
                      paths.visits ? paths.visits[i] : 0u,
                      paths.throughput[i],
                      paths.density[i],
                      paths.since_shown[i]};
    Shading::shade(vertex);
    for (u32 kind = 0; kind < kLightKinds; ++kind) {
      vec3& sum = paths.sum_of(static_cast<LightKind>(kind), i);
      sum = sum + vertex.light[kind];
    }
    if (paths.features && vertex.feature.hits > 0.0f) paths.features[i] = vertex.feature;
    paths.casts[i] += (vertex.occlusion.asks() ? 1u : 0u) + (vertex.next.asks() ? 1u : 0u);
    paths.throughput[i] = vertex.throughput;
    paths.density[i] = vertex.density;
    paths.since_shown[i] = vertex.since_shown;
    paths.occlusion_rays[i] = vertex.occlusion;
    paths.unoccluded[i] = vertex.unoccluded;
    paths.rays[i] = vertex.next;
  }
};

/// Adds the light of each path whose occlusion ray hit nothing.
struct AddUnoccluded {
  BC_HD static void item(u32 i, PathArrays paths) {
    const Ray ray = paths.occlusion_rays[i];
    if (!ray.asks() || paths.occlusion_hits[i].found()) return;
    const Unoccluded free = paths.unoccluded[i];
    vec3& sum = paths.sum_of(free.kind, i);
    sum = sum + free.light;
  }
};

/// A film: for each pixel, sums over its samples. The pixels are stored row by row from the top,
/// beginning with the picture's row first_row.
struct FilmView {
  vec3* light;            // all of it, or if some is smoothed, only the rest
  u32* casts;             // number of rays cast
  PixelPatches* patches;  // null if nothing is smoothed
  CameraView camera;
  u32 width;
  u32 first_row;
};

/// Adds the samples of a range to their pixels. A range that begins with sample 0 first clears its
/// pixels. Samples are always added in order, so the sums do not depend on how a frame is cut into
/// ranges.
struct AddToFilm {
  BC_HD static void item(u32 index, PathRange range, PathArrays paths, FilmView film) {
    const PixelPlace at = range.tiling.place(index);
    const u32 pixel = (at.y - film.first_row) * film.width + at.x;
    const u32 first = index * range.samples, end = first + range.samples;
    const bool fresh = range.first_sample == 0u;
    vec3 sum = fresh ? vec3(0.0f) : film.light[pixel];
    for (u32 i = first; i < end; ++i) sum = sum + paths.light[0][i];
    film.light[pixel] = sum;
    u32 casts = fresh ? 0u : film.casts[pixel];
    for (u32 i = first; i < end; ++i) casts += paths.casts[i];
    film.casts[pixel] = casts;
    if (!film.patches) return;
    PixelPatches patches = fresh ? PixelPatches{} : film.patches[pixel];
    for (u32 i = first; i < end; ++i) {
      const Feature& feature = paths.features[i];
      if (!(feature.hits > 0.0f)) continue;  // then all of its light is sharp
      const vec3 color = dividing_color(feature.color);
      const u32 sample = range.first_sample + i - first;
      patches.add({feature,
                   {paths.light[static_cast<u32>(LightKind::lamp)][i] / color,
                    paths.light[static_cast<u32>(LightKind::ambient)][i] / color},
                   sample & 1u},
                  film.camera);
    }
    film.patches[pixel] = patches;
  }
};

/// Turns the sums of the film into 8-bit colour codes.
struct Develop {
  static constexpr float kMostRadiance = 1.0e30f;

  BC_HD static void item(u32 pixel, const vec3* film, u32 samples, Encoding encoding,
                         ColorMatrix white_balance, float exposure, const float* thresholds,
                         Rgb8* codes) {
    const vec3 mean = film[pixel] / static_cast<float>(samples);
    if (encoding == Encoding::plain) {
      codes[pixel] = {plain_code(mean.x), plain_code(mean.y), plain_code(mean.z)};
      return;
    }
    vec3 light = mean;
    if (encoding == Encoding::light) {
      // Clamped, because the matrix must not multiply an infinity by 0.
      const vec3 finite(clamp_to(mean.x, 0.0f, kMostRadiance),
                        clamp_to(mean.y, 0.0f, kMostRadiance),
                        clamp_to(mean.z, 0.0f, kMostRadiance));
      const vec3 balanced = white_balance.of(finite);
      light = vec3(roll_off(balanced.x * exposure), roll_off(balanced.y * exposure),
                   roll_off(balanced.z * exposure));
    }
    codes[pixel] = {srgb_code(light.x, thresholds), srgb_code(light.y, thresholds),
                    srgb_code(light.z, thresholds)};
  }
};

}  // namespace ballotcast::detail
