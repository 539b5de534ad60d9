// The first and the last step of a frame: from pixels to camera rays, and from radiance to pixels.
#pragma once

#include "image/image.hpp"
#include "image/srgb.hpp"
#include "kernels/shadings/shading.hpp"
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

  BC_HD u32 paths() const { return tiling.pixels() * samples; }
};

/// The light that a path gains if its occlusion ray hits nothing.
struct Unoccluded {
  vec3 light;
  // 1: it is soft light (kernels/smooth.hpp), which may be smoothed; 0: it is not
  u32 soft;
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
  vec3* radiance;
  u32* casts;         // the number of rays that the path has cast
  vec3* soft;         // soft light; null if it is not kept apart from other light
  Feature* features;  // null if `soft` is null
};

/// The camera ray of sample number `sample` of the pixel `at`, in a picture `width` pixels wide.
/// With one sample per pixel the ray goes through the pixel's centre; with more, the samples are
/// spread over the pixel.
BC_HD inline Ray camera_ray(const CameraView& camera, PixelPlace at, u32 width, u32 sample,
                            u32 samples_a_pixel) {
  const vec2 spot =
      samples_a_pixel == 1u ? vec2(0.5f) : sample_2d(at.y * width + at.x, sample, kCameraDimension);
  return ray_through(camera, static_cast<float>(at.x) + spot.x, static_cast<float>(at.y) + spot.y);
}

/// Creates the camera ray of each path.
struct CameraRays {
  BC_HD static void item(u32 i, PathRange range, CameraView camera, PathArrays paths) {
    const PixelPlace at = range.tiling.place(i / range.samples);
    const u32 sample = range.first_sample + i % range.samples;
    paths.rays[i] = camera_ray(camera, at, range.tiling.width, sample, range.samples_a_pixel);
    paths.throughput[i] = vec3(1.0f);
    paths.radiance[i] = vec3(0.0f);
    paths.casts[i] = 1u;
    if (paths.soft) paths.soft[i] = vec3(0.0f);
  }
};

/// Calls the shading for each path that is still alive.
template <class Shading>
struct ShadePaths {
  BC_HD static void item(u32 i, PathRange range, ShadingView view, u32 depth, PathArrays paths) {
    const Ray ray = paths.rays[i];
    paths.occlusion_rays[i] = idle_ray();
    if (!ray.asks()) return;
    const PixelPlace at = range.tiling.place(i / range.samples);
    PathVertex vertex{view,
                      at.y * range.tiling.width + at.x,
                      range.first_sample + i % range.samples,
                      depth,
                      ray,
                      paths.hits[i],
                      paths.visits ? paths.visits[i] : 0u,
                      paths.throughput[i]};
    Shading::shade(vertex);
    if (paths.soft) {
      paths.radiance[i] = paths.radiance[i] + vertex.radiance;
      paths.soft[i] = paths.soft[i] + vertex.soft;
      if (depth == 0u) paths.features[i] = vertex.feature;
    } else {
      paths.radiance[i] = paths.radiance[i] + (vertex.radiance + vertex.soft);
    }
    paths.casts[i] += (vertex.occlusion.asks() ? 1u : 0u) + (vertex.next.asks() ? 1u : 0u);
    paths.throughput[i] = vertex.throughput;
    paths.occlusion_rays[i] = vertex.occlusion;
    paths.unoccluded[i] = {vertex.unoccluded, vertex.unoccluded_soft ? 1u : 0u};
    paths.rays[i] = vertex.next;
  }
};

/// Adds the light of each path whose occlusion ray hit nothing.
struct AddUnoccluded {
  BC_HD static void item(u32 i, PathArrays paths) {
    const Ray ray = paths.occlusion_rays[i];
    if (!ray.asks() || paths.occlusion_hits[i].found()) return;
    const Unoccluded free = paths.unoccluded[i];
    vec3& sum = paths.soft && free.soft ? paths.soft[i] : paths.radiance[i];
    sum = sum + free.light;
  }
};

/// A film: for each pixel, sums over its samples. The pixels are stored row by row from the top,
/// beginning with the picture's row first_row.
struct FilmView {
  vec3* light;
  u32* casts;     // number of rays cast
  SoftFilm soft;  // null pointers if soft light is not kept apart
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
    for (u32 i = first; i < end; ++i) sum = sum + paths.radiance[i];
    film.light[pixel] = sum;
    u32 casts = fresh ? 0u : film.casts[pixel];
    for (u32 i = first; i < end; ++i) casts += paths.casts[i];
    film.casts[pixel] = casts;
    if (!paths.soft) return;
    vec3 soft = fresh ? vec3(0.0f) : film.soft.light[pixel];
    float squares = fresh ? 0.0f : film.soft.squares[pixel];
    Feature features = fresh ? Feature{} : film.soft.features[pixel];
    for (u32 i = first; i < end; ++i) {
      const float luminance = luminance_of(paths.soft[i]);
      soft = soft + paths.soft[i];
      squares = squares + luminance * luminance;
      features = features.plus(paths.features[i]);
    }
    film.soft.light[pixel] = soft;
    film.soft.squares[pixel] = squares;
    film.soft.features[pixel] = features;
  }
};

/// Turns the sums of the film into 8-bit colour codes.
struct Develop {
  BC_HD static void item(u32 pixel, const vec3* film, u32 samples, Encoding encoding,
                         float exposure, const float* thresholds, Rgb8* codes) {
    const vec3 mean = film[pixel] / static_cast<float>(samples);
    if (encoding == Encoding::plain) {
      codes[pixel] = {plain_code(mean.x), plain_code(mean.y), plain_code(mean.z)};
      return;
    }
    const vec3 light = encoding == Encoding::light
                           ? vec3(roll_off(mean.x * exposure), roll_off(mean.y * exposure),
                                  roll_off(mean.z * exposure))
                           : mean;
    codes[pixel] = {srgb_code(light.x, thresholds), srgb_code(light.y, thresholds),
                    srgb_code(light.z, thresholds)};
  }
};

}  // namespace ballotcast::detail
