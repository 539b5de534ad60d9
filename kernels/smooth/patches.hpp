// Patches: the samples of a pixel, divided by the surface that they hit.
//
//       pixel          where two surfaces share a pixel, each of them is a patch with its own
//      +-------+       colour, normal, position and light. The picture's edges stay smooth, because
//      | 0 0 /1|       each patch is smoothed together with patches of its own surface, and counts
//      | 0  / 1|       in its pixel by its number of samples.
//      | 0 / 1 |
//      +-------+       patch 0 is the surface of the first sample; patch 1 is all the rest
//
// The light is divided by the surface's colour before it is smoothed, so that textures stay sharp.
// It is kept in two halves, of the first and of the last samples: their difference tells how noisy
// they are. (Consecutive samples are evenly spread, so each half is as good as that number of
// samples can be. If every second sample were taken, the halves would differ by more than their
// error.)
#pragma once

#include <cstring>

#include "kernels/shadings/shading.hpp"
#include "math/portable.hpp"
#include "scene/camera/camera.hpp"

namespace ballotcast::detail {

/// 16 bytes: as much as a GPU reads or writes with one instruction.
struct alignas(16) Quad {
  u32 words[4];
};

/// An array of `count` objects of 32 bytes. First come the first halves of all, then the second
/// halves:
///
///     |a0|b0|c0|d0| .. |a1|b1|c1|d1| ..
///
/// So neighbouring lanes read neighbouring 16 bytes. With whole objects side by side, they would
/// read every second 16 bytes, which takes twice as long. Does not own the memory.
template <class T>
class HalvedArray {
 public:
  static_assert(sizeof(T) == 2 * sizeof(Quad));
  static constexpr u32 quads_for(u32 count) { return 2u * count; }

  /// `quads` has quads_for(count) elements.
  HalvedArray(Quad* quads, u32 count) : quads_(quads), count_(count) {}

  /// Nothing may write to the array while a kernel reads it.
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

inline constexpr u32 kPatches = 2;  // per pixel
/// The kinds of light that are smoothed: lamp and ambient.
inline constexpr u32 kSmoothKinds = 2;

/// A bit of FilmArrays::covered: the pixel shows a lamp that shines, directly or in a mirror. Only
/// set if light is smoothed.
inline constexpr u32 kShowsLamp = 1u << 31;

/// The colour by which light is divided before it is smoothed. Its components are at least 0.01.
BC_HD inline vec3 dividing_color(vec3 color) {
  return {max_of(color.x, 0.01f), max_of(color.y, 0.01f), max_of(color.z, 0.01f)};
}

/// A sample in the form that patches take.
struct PatchSample {
  Feature feature;
  vec3 light[kSmoothKinds];  // divided by dividing_color(feature.color)
  u32 half;                  // which half of the pixel's samples it is in: 0 or 1
};

/// Sums over the samples of a patch.
struct PatchSums {
  vec3 color, normal, position;
  float samples[2];             // number of samples in each half
  vec3 light[kSmoothKinds][2];  // by half

  BC_HD float count() const { return samples[0] + samples[1]; }

  /// Adds a sample if it is `mine`. Otherwise adds zeros instead of branching, so that a GPU keeps
  /// the sums in registers.
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

/// The patches of a pixel. Aligned, so that a GPU stores them 16 bytes at a time.
struct alignas(16) PixelPatches {
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
    sums[0].add(sample, same_surface);
    sums[1].add(sample, !same_surface);
  }
};

/// What the filter knows about the surface of a patch.
struct PatchSurface {
  vec3 normal;            // mean, of length 1; reversed in pixels that show a lamp
  float samples;          // 0: there is no such patch
  vec3 position;          // mean
  float pixels_per_unit;  // at its distance
};

/// One kind of light on a patch. The alignment makes it 32 bytes, as HalvedArray wants.
struct alignas(16) PatchLight {
  vec3 half[2];    // mean over the samples of each half
  float variance;  // of a half, mean of the three components
};

using PatchSurfaces = HalvedArray<PatchSurface>;
using PatchLights = HalvedArray<PatchLight>;

/// The factor on each kind of light at the end, which gives back what fireflies have lost
/// (sums.hpp).
struct Gains {
  float lamp = 1.0f, ambient = 1.0f;
};

/// Where patches are stored: patch k of pixel i is element k * pixels + i of each array.
BC_HD inline u32 patch_index(u32 pixel, u32 patch, u32 pixels) { return patch * pixels + pixel; }

/// Computes surfaces and light from the sums. `covered`: see FilmArrays.
///
/// Surfaces beside a lamp are far brighter than all others. In the pixels that show the lamp, the
/// lamp outshines them. Their patches there are smoothed only among themselves, because otherwise
/// there would be a halo around each lamp. Their normals are reversed, so they are like no other
/// patch.
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
