// Patches: the samples of a pixel, grouped by the surface that they hit.
//
//       pixel          where two surfaces share a pixel, each of them is a patch with its own
//      +-------+       colour, normal, position and light. The picture's edges stay smooth, because
//      | 0 0 /1|       each patch is smoothed together with patches of its own surface, and counts
//      | 0  / 1|       in its pixel by its number of samples.
//      | 0 / 1 |
//      +-------+       patch 0 is the surface of the first sample; patch 1 is all the rest
//
// The light is divided by the surface's colour before it is smoothed, so that textures stay sharp.
// The light is kept separately for the first and the second half of the samples: the difference of
// the two halves shows how noisy they are. (Consecutive samples are evenly spread over the pixel,
// so each half estimates the pixel well. If a half were every second sample, the halves would
// differ by more than their error.)
#pragma once

#include <cstring>

#include "kernels/shadings/shading.hpp"
#include "math/portable.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// 16 bytes: as much as a GPU reads or writes with one instruction.
struct alignas(16) Quad {
  u32 words[4];
};

/// An array of `count` objects of 32 bytes. First come the first 16 bytes of all objects, then the
/// second 16 bytes:
///
///     |a0|b0|c0|d0| .. |a1|b1|c1|d1| ..
///
/// So neighbouring lanes read neighbouring 16 bytes. If the objects were stored whole, the lanes
/// would read every second 16 bytes, which takes twice as long. A HalvedArray does not own its
/// memory.
template <class T>
class HalvedArray {
 public:
  static_assert(sizeof(T) == 2 * sizeof(Quad));
  static constexpr u32 quads_for(u32 count) { return 2u * count; }

  /// `quads` has quads_for(count) elements.
  HalvedArray(Quad* quads, u32 count) : quads_(quads), count_(count) {}

  /// Reads element i. No lane may write to the array in the same launch.
  BC_HD T read(u32 i) const {
    const Quad halves[2] = {read_whole(quads_ + i), read_whole(quads_ + count_ + i)};
    T value;
    memcpy(&value, halves, sizeof value);
    return value;
  }

  BC_HD void write(u32 i, const T& value) const {
    Quad halves[2];
    memcpy(halves, &value, sizeof value);
    quads_[i] = halves[0];
    quads_[count_ + i] = halves[1];
  }

 private:
  Quad* quads_;
  u32 count_;
};

inline constexpr u32 kPatches = 2;  // patches per pixel
/// The kinds of light that are smoothed: lamp and ambient.
inline constexpr u32 kSmoothKinds = 2;

/// A bit of FilmArrays::covered, set if the pixel shows a shining lamp, directly or in a mirror.
/// Only set if light is smoothed.
inline constexpr u32 kShowsLamp = 1u << 31;

/// The colour by which light is divided before it is smoothed. Its components are at least 0.01.
BC_HD inline vec3 dividing_color(vec3 color) {
  return {max_of(color.x, 0.01f), max_of(color.y, 0.01f), max_of(color.z, 0.01f)};
}

/// A sample as it is added to patches.
struct PatchSample {
  Feature feature;
  vec3 light[kSmoothKinds];  // light by kind, divided by dividing_color(feature.color)
  u32 half;                  // which half of the pixel's samples it belongs to: 0 or 1
};

/// The sums over the samples of a patch.
struct PatchSums {
  vec3 color, normal, position;
  float samples[2];             // number of samples in each half
  vec3 light[kSmoothKinds][2];  // sums per kind and half

  BC_HD float count() const { return samples[0] + samples[1]; }

  /// Adds a sample if `mine` is true: it belongs to this patch. Otherwise adds zeros instead of
  /// branching, so that a GPU keeps the sums in registers.
  BC_HD void add(const PatchSample& sample, bool mine) {
    color = color + only_if(mine, sample.feature.color);
    normal = normal + only_if(mine, sample.feature.normal);
    position = position + only_if(mine, sample.feature.position);
    BC_UNROLL
    for (u32 half = 0; half < 2u; ++half) {
      const bool counts = mine && half == sample.half;
      samples[half] += counts ? 1.0f : 0.0f;
      BC_UNROLL
      for (u32 kind = 0; kind < kSmoothKinds; ++kind)
        light[kind][half] = light[kind][half] + only_if(counts, sample.light[kind]);
    }
  }

 private:
  BC_HD static vec3 only_if(bool yes, vec3 v) {
    return {yes ? v.x : 0.0f, yes ? v.y : 0.0f, yes ? v.z : 0.0f};
  }
};

/// The patches of a pixel. Aligned to 16 bytes, so that a GPU stores 16 bytes at a time.
struct alignas(16) PixelPatches {
  PatchSums sums[kPatches];
  vec3 first_normal, first_position;  // of the pixel's first sample that hit a surface

  /// Adds a sample that has hit a surface.
  BC_HD void add(const PatchSample& sample, const CameraView& camera) {
    const Feature& f = sample.feature;
    if (!(sums[0].count() > 0.0f)) {
      first_normal = f.normal;
      first_position = f.position;
    }
    const float off_plane = magnitude_of(dot(first_normal, f.position - first_position));
    const bool same_surface =
        dot(first_normal, f.normal) > 0.9f && off_plane <= camera.pixel_size_at(f.position);
    sums[0].add(sample, same_surface);
    sums[1].add(sample, !same_surface);
  }
};

/// The surface of a patch, as the filter needs it.
struct PatchSurface {
  vec3 normal;            // mean normal, of length 1; reversed in pixels that show a lamp
  float samples;          // number of samples; 0: the patch does not exist
  vec3 position;          // mean position
  float pixels_per_unit;  // pixels per world unit, at the distance of the patch
};

/// One kind of light on a patch. Aligned so that its size is 32 bytes, as HalvedArray requires.
struct alignas(16) PatchLight {
  vec3 half[2];    // mean over the samples of each half
  float variance;  // variance of a half, averaged over the three components
};

using PatchSurfaces = HalvedArray<PatchSurface>;
using PatchLights = HalvedArray<PatchLight>;

/// The factors by which the two kinds of light are multiplied at the end, to give back the light
/// that DropFireflies has removed (sums.hpp).
struct Gains {
  float lamp = 1.0f, ambient = 1.0f;
};

/// The index of patch `patch` of a pixel in each array of patches.
BC_HD inline u32 patch_index(u32 pixel, u32 patch, u32 pixels) { return patch * pixels + pixel; }

/// Computes the surfaces and the light of patches from their sums. `covered`: see FilmArrays.
///
/// Surfaces beside a lamp are far brighter than all others. In the pixels that show the lamp, the
/// lamp outshines them. So the patches of such pixels are smoothed only among themselves; otherwise
/// there would be a halo around each lamp. For this, their normals are reversed, so that they are
/// similar to no other patch.
struct SplitPatches {
  BC_HD static void item(u32 index, const PixelPatches* patches, const u32* covered, u32 pixels,
                         CameraView camera, PatchSurfaces surfaces, PatchLights lamp,
                         PatchLights ambient) {
    const PatchSums& sums = patches[index % pixels].sums[index / pixels];
    const float n = sums.count();
    const PatchLights out[kSmoothKinds] = {lamp, ambient};
    if (!(n > 0.0f)) {
      surfaces.write(index, {vec3(0.0f), 0.0f, vec3(0.0f), 0.0f});
      return;
    }
    const vec3 position = sums.position / n;
    const vec3 normal = unit_or(sums.normal, vec3(0.0f, 0.0f, 1.0f));
    surfaces.write(index, {(covered[index % pixels] & kShowsLamp) != 0u ? -normal : normal, n,
                           position, 1.0f / (camera.pixel_size_at(position) + 1e-30f)});
    for (u32 kind = 0; kind < kSmoothKinds; ++kind) {
      PatchLight light{{vec3(0.0f), vec3(0.0f)}, 0.0f};
      for (u32 half = 0; half < 2u; ++half)
        if (sums.samples[half] > 0.0f)
          light.half[half] = sums.light[kind][half] / sums.samples[half];
      // A half without samples gets the values of the other half.
      for (u32 half = 0; half < 2u; ++half)
        if (!(sums.samples[half] > 0.0f)) light.half[half] = light.half[1u - half];
      out[kind].write(index, light);
    }
  }
};

/// Adds the smoothed light, times the gain of its kind, to the film. The film then holds the sum of
/// all light over each pixel's samples.
struct JoinPatches {
  BC_HD static void item(u32 pixel, const PixelPatches* patches, u32 pixels, PatchLights lamp,
                         PatchLights ambient, Gains gains, vec3* film) {
    vec3 light = film[pixel];
    for (u32 patch = 0; patch < kPatches; ++patch) {
      const PatchSums& sums = patches[pixel].sums[patch];
      const float n = sums.count();
      if (!(n > 0.0f)) continue;
      const u32 index = patch_index(pixel, patch, pixels);
      const PatchLight a = lamp.read(index), b = ambient.read(index);
      const vec3 mean =
          ((a.half[0] + a.half[1]) * gains.lamp + (b.half[0] + b.half[1]) * gains.ambient) * 0.5f;
      light = light + dividing_color(sums.color / n) * mean * n;
    }
    film[pixel] = light;
  }
};

}  // namespace ballotcast::detail
