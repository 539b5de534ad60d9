// Paths of light: how they are numbered, what is stored for each of them, and the kernels that
// begin and shade them.
#pragma once

#include "kernels/frame/pixel_tiles.hpp"
#include "kernels/shadings/shading.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// Paths are numbered sample by sample for this many pixels at a time. So neighbouring lanes of a
/// warp follow samples of the same few pixels, and write to memory that is close together.
inline constexpr u32 kPixelsTogether = 4;

/// The paths that are traced at once: some samples of some pixels.
///
///   with 3 pixels together:    pixel      0  1  2    3  4  5
///                              sample 0   0  1  2    6  7  8     the numbers are those
///                              sample 1   3  4  5    9 10 11     of paths
///
struct PathRange {
  Tiling tiling;
  u32 first_sample;
  u32 samples;          // samples of each pixel in this range
  u32 samples_a_pixel;  // samples of each pixel in the whole frame

  /// A pixel of the tiling, and a sample of this pixel, counted within this range.
  struct PixelSample {
    u32 pixel, sample;
  };

  BC_HD u32 paths() const { return tiling.pixels() * samples; }
  BC_HD PixelSample pixel_sample_of(u32 path) const {
    const u32 group = path / (kPixelsTogether * samples);
    const u32 first = group * kPixelsTogether, in_group = path - first * samples;
    const Divided sample = divided<kPixelsTogether>(in_group, pixels_from(first));
    return {first + sample.rest, sample.quotient};
  }
  BC_HD u32 path_of(u32 pixel, u32 sample) const {
    const u32 first = pixel - pixel % kPixelsTogether;
    return first * samples + sample * pixels_from(first) + (pixel - first);
  }

  BC_HD PixelPlace pixel_of(u32 path) const { return tiling.place(pixel_sample_of(path).pixel); }
  /// The sample of a path. It determines the path's random numbers.
  BC_HD SamplePlace sample_of(u32 path) const {
    const PixelSample own = pixel_sample_of(path);
    const PixelPlace at = tiling.place(own.pixel);
    return sample_place(at.x, at.y, first_sample + own.sample, samples_a_pixel);
  }

 private:
  /// The number of pixels in the group that begins with pixel `first`.
  BC_HD u32 pixels_from(u32 first) const {
    const u32 left = tiling.pixels() - first;
    return left < kPixelsTogether ? left : kPixelsTogether;
  }
};

/// What a path stores together with its ray; see PathVertex.
struct alignas(16) Carried {
  vec3 throughput;
  float density;
};

/// A sum of light, padded to 16 bytes, because a GPU stores 16 bytes by one instruction.
struct alignas(16) LightSum {
  vec3 light;
  float padding = 0.0f;
};

/// A bit of PathArrays::casts, set if the camera ray has hit a surface.
inline constexpr u32 kCovers = 1u << 31;

/// The state of all paths of a range. Element i of every array belongs to path i.
struct PathArrays {
  Ray* rays;
  Hit* hits;
  u32* visits;  // number of leaves that the camera ray has visited; may be null
  Ray* occlusion_rays;
  Hit* occlusion_hits;
  Unoccluded* unoccluded;
  Carried* carried;
  u32* since_shown;  // see PathVertex
  // Sums of light by kind. If nothing is smoothed, the first array holds all light, and the others
  // are null.
  LightSum* light[kLightKinds];
  u32* casts;         // the number of rays that the path has cast, and kCovers
  Feature* features;  // null if nothing is smoothed

  /// Adds light of one kind to the path's sums.
  BC_HD void add(LightKind kind, u32 path, vec3 more) const {
    LightSum* const own = kind == LightKind::sharp  ? light[0]
                          : kind == LightKind::lamp ? light[1]
                                                    : light[2];
    LightSum& sum = own ? own[path] : light[0][path];
    sum = {sum.light + more};
  }
};

/// The camera ray of a sample of the pixel `at`. With one sample per pixel, the ray goes through
/// the pixel's centre; with more, the samples are spread over the pixel. `kCurvilinear`: the
/// projection does not map straight lines to straight lines (a fisheye, a panorama, or a lens with
/// distortion).
template <bool kCurvilinear>
BC_HD Ray camera_ray_of(const CameraView& camera, PixelPlace at, SamplePlace sample,
                        u32 samples_a_pixel) {
  const vec2 spot = samples_a_pixel == 1u ? vec2(0.5f) : sample.point(kCameraDimension);
  const float x = static_cast<float>(at.x) + spot.x, y = static_cast<float>(at.y) + spot.y;
  const Ray ray =
      kCurvilinear ? curvilinear_ray_through(camera, x, y) : rectilinear_ray_through(camera, x, y);
  return camera.sharpness > 0.0f && ray.asks()
             ? through_lens(camera, ray, disk_sample(sample.point(kLensDimension)))
             : ray;
}

/// The camera ray of a sample, for any projection.
BC_HD inline Ray camera_ray(const CameraView& camera, PixelPlace at, SamplePlace sample,
                            u32 samples_a_pixel) {
  return camera.curvilinear.is_used() ? camera_ray_of<true>(camera, at, sample, samples_a_pixel)
                                      : camera_ray_of<false>(camera, at, sample, samples_a_pixel);
}

/// Creates the camera ray of each path. ShadePaths at depth 0 sets the rest of the path's state.
/// Curvilinear projections have a kernel of their own, because they need many more registers.
template <bool kCurvilinear>
struct CameraRays {
  BC_HD static void item(u32 i, const PathRange& range, const CameraView& camera,
                         const PathArrays& paths) {
    paths.rays[i] = camera_ray_of<kCurvilinear>(camera, range.pixel_of(i), range.sample_of(i),
                                                range.samples_a_pixel);
  }
};

/// Calls the shading for each path that has not ended.
template <class Shading>
struct ShadePaths {
  // 3 blocks at once hide more latency than the spilling of a few registers costs.
  static constexpr u32 kBlocksAtOnce = 3;

  BC_HD static void item(u32 i, const PathRange& range, const ShadingView& view, u32 depth,
                         const PathArrays& paths) {
    shade(i, range, view, depth, paths, nullptr);
  }

  /// Shades path i. `prepared`: values for its vertex that were computed before, or null.
  BC_HD static void shade(u32 i, const PathRange& range, const ShadingView& view, u32 depth,
                          const PathArrays& paths, const PreparedVertex* prepared) {
    const Ray ray = paths.rays[i];
    const bool fresh = depth == 0u;
    if (!fresh && !ray.asks()) {
      paths.occlusion_rays[i] = idle_ray();
      return;
    }
    const Carried carried = fresh ? Carried{vec3(1.0f), 0.0f} : paths.carried[i];
    PathVertex vertex{view,
                      prepared ? prepared->place : range.sample_of(i),
                      depth,
                      ray,
                      paths.hits[i],
                      paths.visits ? paths.visits[i] : 0u,
                      carried.throughput,
                      carried.density,
                      fresh ? kNotShown : paths.since_shown[i]};
    vertex.prepared = prepared;
    const bool is_hidden = fresh && view.hides_sky && !vertex.hit.found();
    // Outside of the lens's image circle, a camera ray is idle: no light is computed there, and the
    // pixel is black.
    if (ray.asks() && !is_hidden) Shading::shade(vertex);
    if (fresh)
      begin(paths, i, vertex);
    else
      add_light(paths, i, vertex);
    paths.occlusion_rays[i] = vertex.occlusion;
    paths.rays[i] = vertex.next;
    if (vertex.occlusion.asks()) paths.unoccluded[i] = vertex.unoccluded;
    if (!vertex.next.asks()) return;
    paths.carried[i] = {vertex.throughput, vertex.density};
    paths.since_shown[i] = vertex.since_shown;
  }

 private:
  BC_HD static u32 asked(const PathVertex& vertex) {
    return (vertex.occlusion.asks() ? 1u : 0u) + (vertex.next.asks() ? 1u : 0u);
  }

  /// Sets the sums of a path to the light of its first vertex, and its count to the rays cast so
  /// far.
  BC_HD static void begin(const PathArrays& paths, u32 i, const PathVertex& vertex) {
    paths.casts[i] =
        ((vertex.ray.asks() ? 1u : 0u) + asked(vertex)) | (vertex.hit.found() ? kCovers : 0u);
    if (paths.features) {
      for (u32 kind = 0; kind < kLightKinds; ++kind) paths.light[kind][i] = {vertex.light[kind]};
      paths.features[i] = vertex.feature;
    } else {
      paths.light[0][i] = {vertex.light[0] + vertex.light[1] + vertex.light[2]};
    }
  }

  BC_HD static void add_light(const PathArrays& paths, u32 i, const PathVertex& vertex) {
    for (u32 kind = 0; kind < kLightKinds; ++kind) {
      const vec3 more = vertex.light[kind];
      if (more != vec3(0.0f)) paths.add(static_cast<LightKind>(kind), i, more);
    }
    if (paths.features && vertex.feature.hits > 0.0f) paths.features[i] = vertex.feature;
    if (const u32 more = asked(vertex); more != 0u) paths.casts[i] += more;
  }
};

/// Adds the light of each path whose occlusion ray hit nothing.
struct AddUnoccluded {
  BC_HD static void item(u32 i, const PathArrays& paths) {
    const Ray ray = paths.occlusion_rays[i];
    if (!ray.asks() || paths.occlusion_hits[i].found()) return;
    const Unoccluded free = paths.unoccluded[i];
    paths.add(free.kind, i, free.light);
  }
};

}  // namespace ballotcast::detail
