// Patches: a pixel's samples, divided by the surface that they hit.
//
//       pixel          where two surfaces share a pixel, each of them is a patch with its own
//      +-------+       colour, normal, position and light. The picture's edges stay smooth, because
//      | 0 0 /1|       each patch is smoothed together with patches of its own surface, and counts
//      | 0  / 1|       in its pixel by its number of samples.
//      | 0 / 1 |
//      +-------+       patch 0 is the surface of the first sample; patch 1 is all the rest
//
// The light that is smoothed is divided by the surface's colour, so that textures stay sharp. It is
// kept in two halves, of the even and of the odd samples: how much they differ tells how noisy they
// are.
#pragma once

#include "kernels/shadings/shading.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

inline constexpr u32 kPatches = 2;  // per pixel
/// The kinds of light that are smoothed: lamp and ambient.
inline constexpr u32 kSmoothKinds = 2;

/// The colour that light is divided by before it is smoothed. Its components are at least 0.01.
BC_HD inline vec3 dividing_color(vec3 color) {
  return {max_of(color.x, 0.01f), max_of(color.y, 0.01f), max_of(color.z, 0.01f)};
}

/// A sample as patches take it.
struct PatchSample {
  Feature feature;
  vec3 light[kSmoothKinds];  // divided by dividing_color(feature.color)
  u32 half;                  // 0 or 1
};

/// Sums over the samples of a patch.
struct PatchSums {
  vec3 color, normal, position;
  float samples[2];             // number of samples in each half
  vec3 light[kSmoothKinds][2];  // by half

  BC_HD float count() const { return samples[0] + samples[1]; }

  BC_HD void add(const PatchSample& sample) {
    color = color + sample.feature.color;
    normal = normal + sample.feature.normal;
    position = position + sample.feature.position;
    BC_UNROLL
    for (u32 half = 0; half < 2u; ++half) {
      if (half != sample.half) continue;
      samples[half] += 1.0f;
      for (u32 kind = 0; kind < kSmoothKinds; ++kind)
        light[kind][half] = light[kind][half] + sample.light[kind];
    }
  }
};

/// The patches of a pixel.
struct PixelPatches {
  PatchSums sums[kPatches];
  vec3 first_normal, first_position;  // of the first sample

  /// Adds a sample that hit a surface.
  BC_HD void add(const PatchSample& sample, const CameraView& camera) {
    const Feature& f = sample.feature;
    if (!(sums[0].count() > 0.0f)) {
      first_normal = f.normal;
      first_position = f.position;
    }
    const float off_plane = magnitude_of(dot(first_normal, f.position - first_position));
    const bool same_surface =
        dot(first_normal, f.normal) > 0.9f && off_plane <= camera.pixel_size_at(f.position);
    if (same_surface)
      sums[0].add(sample);
    else
      sums[1].add(sample);
  }
};

/// What the filter knows about the surface of a patch. Like PatchLight it has 32 bytes, aligned to
/// 16, so that a GPU reads it with two instructions: the filter's windows read little else.
struct alignas(16) PatchSurface {
  vec3 normal;            // mean, of length 1
  float samples;          // 0: there is no such patch
  vec3 position;          // mean
  float pixels_per_unit;  // at its distance
};

/// One kind of light on a patch.
struct alignas(16) PatchLight {
  vec3 half[2];    // mean over the samples of each half
  float variance;  // of a half, mean of the three components
};
static_assert(sizeof(PatchSurface) == 32 && sizeof(PatchLight) == 32);

/// Where patches are stored: patch k of pixel i is element k * pixels + i of each array.
BC_HD inline u32 patch_index(u32 pixel, u32 patch, u32 pixels) { return patch * pixels + pixel; }

/// Computes surfaces and light from the sums.
struct SplitPatches {
  BC_HD static void item(u32 index, const PixelPatches* patches, u32 pixels, CameraView camera,
                         PatchSurface* surfaces, PatchLight* lamp, PatchLight* ambient) {
    const PatchSums& sums = patches[index % pixels].sums[index / pixels];
    const float n = sums.count();
    PatchLight* const out[kSmoothKinds] = {lamp, ambient};
    if (!(n > 0.0f)) {
      surfaces[index] = {vec3(0.0f), 0.0f, vec3(0.0f), 0.0f};
      for (u32 kind = 0; kind < kSmoothKinds; ++kind)
        out[kind][index] = {{vec3(0.0f), vec3(0.0f)}, 0.0f};
      return;
    }
    const vec3 position = sums.position / n;
    surfaces[index] = {unit_or(sums.normal, vec3(0.0f, 0.0f, 1.0f)), n, position,
                       1.0f / (camera.pixel_size_at(position) + 1e-30f)};
    for (u32 kind = 0; kind < kSmoothKinds; ++kind) {
      PatchLight light{{vec3(0.0f), vec3(0.0f)}, 0.0f};
      for (u32 half = 0; half < 2u; ++half)
        if (sums.samples[half] > 0.0f)
          light.half[half] = sums.light[kind][half] / sums.samples[half];
      // A half without samples is like the other.
      for (u32 half = 0; half < 2u; ++half)
        if (!(sums.samples[half] > 0.0f)) light.half[half] = light.half[1u - half];
      out[kind][index] = light;
    }
  }
};

/// Adds the smoothed light to the film, which then holds the sum of all light over each pixel's
/// samples.
struct JoinPatches {
  BC_HD static void item(u32 pixel, const PixelPatches* patches, u32 pixels, const PatchLight* lamp,
                         const PatchLight* ambient, vec3* film) {
    vec3 light = film[pixel];
    for (u32 patch = 0; patch < kPatches; ++patch) {
      const PatchSums& sums = patches[pixel].sums[patch];
      const float n = sums.count();
      if (!(n > 0.0f)) continue;
      const u32 index = patch_index(pixel, patch, pixels);
      const vec3 mean = (lamp[index].half[0] + lamp[index].half[1] + ambient[index].half[0] +
                         ambient[index].half[1]) *
                        0.5f;
      light = light + dividing_color(sums.color / n) * mean * n;
    }
    film[pixel] = light;
  }
};

}  // namespace ballotcast::detail
