// Smooths the light of patches (patches.hpp).
//
// Each patch's light becomes a weighted mean of the light around it, with a plane fitted to it. A
// patch counts less if it is on another surface, and if its light differs by more than the noise
// explains. To judge that, the difference is taken from the *other* half of the samples, so that
// noise does not confirm itself. (After F. Rousselle et al., Robust Denoising using Feature and
// Color Information, 2013, and B. Bitterli et al., Nonlinearly Weighted First-order Regression for
// Denoising Monte Carlo Renderings, 2016, with rational weights in place of exponentials.)
//
// The steps, each of them for all patches:
//
//   DropFireflies   light far above its neighbours' is lowered
//   MeasureNoise    the variance, from the difference of the halves
//   BlurGuide       a first, small mean: the guide
//   SmoothLight     the mean over a window, guided by the guide: a better guide
//   SmoothLight     the mean over a larger window, guided by that
#pragma once

#include "kernels/smooth/patch_grid.hpp"

namespace ballotcast::detail {

BC_HD inline float mean_square(vec3 v) { return dot(v, v) * (1.0f / 3.0f); }

/// Lowers light that is far above what is usual around it, in one half of the samples only. Light
/// that both halves have found is there.
struct DropFireflies {
  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, bool keep, PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      PatchLight light = in.read(index);
      if (!keep) lower(grid, index, own, in, light);
      out.write(index, light);
    });
  }

 private:
  /// How many times the usual difference of the halves light may be above the mean.
  static constexpr float kTolerance = 7.0f;
  /// How many times as bright as the other half light may be.
  static constexpr float kAgreement = 2.0f;

  BC_HD static void lower(const PatchGrid& grid, u32 index, const PatchSurface& own, PatchLights in,
                          PatchLight& light) {
    float sum = 0.0f, difference = 0.0f, weights = 0.0f;
    grid.around(index, 3, [&](u32 q, i32 dx, i32 dy) {
      if (q == index) return;
      const PatchSurface theirs = grid.surfaces.read(q);
      if (!(theirs.samples > 0.0f)) return;
      const PatchLight other = in.read(q);
      const float weight =
          theirs.samples * likeness(own, theirs, 1.0f + distance_in_pixels(dx, dy));
      const float a = luminance_of(other.half[0]), b = luminance_of(other.half[1]);
      sum = fused(weight, a + b, sum);
      difference = fused(weight, magnitude_of(a - b), difference);
      weights += weight;
    });
    if (!(weights > 0.0f)) return;
    const float most =
        (0.5f * sum + kTolerance * sqrtf(grid.samples / own.samples) * difference) / weights;
    const float luminances[2] = {luminance_of(light.half[0]), luminance_of(light.half[1])};
    for (u32 half = 0; half < 2u; ++half) {
      const float limit = max_of(most, kAgreement * luminances[1u - half]);
      if (luminances[half] > limit)
        light.half[half] = light.half[half] * (limit / luminances[half]);
    }
  }
};

/// Estimates the variance of each patch's halves from the differences of halves around it.
struct MeasureNoise {
  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      float sum = 0.0f, weights = 0.0f;
      grid.around(index, 3, [&](u32 q, i32, i32) {
        const float samples = grid.surfaces.read(q).samples;
        if (!(samples > 0.0f)) return;
        const PatchLight light = in.read(q);
        sum = fused(0.5f * mean_square(light.half[0] - light.half[1]), samples, sum);
        weights += 1.0f;
      });
      PatchLight light = in.read(index);
      light.variance = sum / (weights * own.samples);
      out.write(index, light);
    });
  }
};

/// Makes the guide: a mean over 5 by 5 pixels.
struct BlurGuide {
  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      vec3 sums[2] = {vec3(0.0f), vec3(0.0f)};
      float variance = 0.0f, weights = 0.0f;
      grid.around(index, 2, [&](u32 q, i32 dx, i32 dy) {
        const PatchSurface theirs = grid.surfaces.read(q);
        if (!(theirs.samples > 0.0f)) return;
        const PatchLight other = in.read(q);
        const float d2 = static_cast<float>(dx * dx + dy * dy);
        const float near = 1.0f - d2 * (1.0f / 18.0f);
        const float weight =
            theirs.samples * near * near * likeness(own, theirs, 1.0f + distance_in_pixels(dx, dy));
        sums[0] = fused_sum(sums[0], other.half[0], weight);
        sums[1] = fused_sum(sums[1], other.half[1], weight);
        variance = fused(weight * weight, other.variance, variance);
        weights += weight;
      });
      out.write(index, {{sums[0] / weights, sums[1] / weights}, variance / (weights * weights)});
    });
  }
};

/// A plane fitted to weighted light, in pixels from the centre of the window.
class LightPlane {
 public:
  BC_HD void add(vec3 light, float weight, float x, float y) {
    const float wx = weight * x, wy = weight * y;
    weights_ += weight;
    x_ += wx;
    y_ += wy;
    xx_ = fused(wx, x, xx_);
    xy_ = fused(wx, y, xy_);
    yy_ = fused(wy, y, yy_);
    light_ = fused_sum(light_, light, weight);
    light_x_ = fused_sum(light_x_, light, wx);
    light_y_ = fused_sum(light_y_, light, wy);
  }

  BC_HD float weights() const { return weights_; }

  /// The plane's value at the centre, not below 0. `ridge` keeps slopes small where the samples do
  /// not determine them.
  BC_HD vec3 at_center(float ridge) const {
    const float inverse = 1.0f / weights_;
    const float cx = x_ * inverse, cy = y_ * inverse;  // the centroid
    const vec3 mean = light_ * inverse;
    const float xx = xx_ * inverse - cx * cx + ridge, yy = yy_ * inverse - cy * cy + ridge;
    const float xy = xy_ * inverse - cx * cy;
    const float determinant = xx * yy - xy * xy;
    if (!(determinant > 0.0f)) return mean;
    const vec3 lx = light_x_ * inverse - mean * cx, ly = light_y_ * inverse - mean * cy;
    const vec3 slope_x = (lx * yy - ly * xy) / determinant;
    const vec3 slope_y = (ly * xx - lx * xy) / determinant;
    return max_of(mean - slope_x * cx - slope_y * cy, vec3(0.0f));
  }

 private:
  float weights_ = 0.0f, x_ = 0.0f, y_ = 0.0f, xx_ = 0.0f, xy_ = 0.0f, yy_ = 0.0f;
  vec3 light_{0.0f}, light_x_{0.0f}, light_y_{0.0f};
};

/// Smooths the light of each patch over a window, guided by `guide`.
struct SmoothLight {
  // So that 24 warps fit on a multiprocessor, not 16: enough to go on while some wait for memory.
  static constexpr u32 kBlocksAtOnce = 3;

  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, PatchLights guide, i32 radius,
                         PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      const float sigma = 0.6f * static_cast<float>(radius);
      const float inverse_width = 1.0f / (4.0f * sigma * sigma);
      const PatchLight own_guide = guide.read(index);
      LightPlane planes[2];
      float variances[2] = {0.0f, 0.0f};
      grid.around(index, radius, [&](u32 q, i32 dx, i32 dy) {
        const float x = static_cast<float>(dx), y = static_cast<float>(dy);
        const float near = 1.0f - fused(x, x, y * y) * inverse_width;
        if (!(near > 0.0f)) return;
        const PatchSurface theirs = grid.surfaces.read(q);
        if (!(theirs.samples > 0.0f)) return;
        const PatchLight other = in.read(q), other_guide = guide.read(q);
        // Not below kStranger, so that a patch without any neighbour of its kind is smoothed a
        // little.
        const float like = likeness(own, theirs, 1.0f + 0.5f * distance_in_pixels(dx, dy));
        const float base = theirs.samples * near * near * either_max(like, kStranger);
        // Three times six variances, because the squares of three components are added up.
        const float most = fused(18.0f, own_guide.variance + other_guide.variance, 1e-20f);
        const float scale = reciprocal(either_min(most, 1e30f));
        for (u32 half = 0; half < 2u; ++half) {
          const vec3 d = own_guide.half[1u - half] - other_guide.half[1u - half];
          const float alike = either_max(fused(fused_dot(d, d), -scale, 1.0f), 0.0f);
          const float weight = base * alike * alike;
          planes[half].add(other.half[half], weight, x, y);
          variances[half] = fused(weight * weight, other.variance, variances[half]);
        }
      });
      PatchLight result = in.read(index);
      float variance = 0.0f;
      for (u32 half = 0; half < 2u; ++half) {
        const float weights = planes[half].weights();
        if (!(weights > 0.0f)) continue;
        result.half[half] = planes[half].at_center(0.05f * sigma * sigma);
        variance += 0.5f * variances[half] / (weights * weights);
      }
      result.variance = max_of(variance, kLeastGain * result.variance);
      out.write(index, result);
    });
  }

 private:
  static constexpr float kStranger = 1e-3f;
  /// The variance that is certainly left, as a part of the variance before.
  static constexpr float kLeastGain = 0.015f;
};

/// The radius of the windows in pixels. The shadows of lamps are sharper than other light.
struct SmoothWindows {
  // Of the guide, at most. It only has to show where light changes. 0: the blurred guide serves.
  i32 guide;
  i32 lamp, ambient;
};
inline constexpr SmoothWindows kFullWindows{7, 5, 12}, kFastWindows{0, 2, 4};

}  // namespace ballotcast::detail
