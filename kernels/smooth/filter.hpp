// Smooths the light of patches (patches.hpp).
//
// Each patch's light becomes a weighted mean of the light around it, with a plane fitted to it. A
// neighbouring patch counts less if it is on another surface, or if its light differs by more than
// its noise. The difference for one half of the samples is measured in the *other* half, so that
// the weights do not depend on the noise that is averaged. (After F. Rousselle et al., Robust
// Denoising using Feature and Color Information, 2013, and B. Bitterli et al., Nonlinearly Weighted
// First-order Regression for Denoising Monte Carlo Renderings, 2016, with rational weights in place
// of exponentials.)
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

/// Removes fireflies: lowers light that is far brighter than its surroundings in only one half of
/// the samples. Light that is equally bright in both halves is kept, because it is no noise.
struct DropFireflies {
  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, bool keep, PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      PatchLight light = in.read(index);
      if (!keep) lower(grid, index, own, in, light);
      out.write(index, light);
    });
  }

 private:
  /// How far the light of a patch may be above the mean of the patches around it, in multiples of
  /// the mean difference between the two halves of the samples there. A smaller tolerance would
  /// darken more real highlights, a larger one would leave more fireflies.
  static constexpr float kTolerance = 7.0f;
  /// Up to this multiple of the light in the other half of its samples, the light in one half of a
  /// patch's samples is kept, because both halves have found it.
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

/// Estimates the variance of each half of a patch's samples, from the differences of the halves of
/// the patches around it.
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

/// Computes the first guide: a mean over 5 by 5 pixels.
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

/// A plane fitted to weighted light; x and y are in pixels from the centre of the window. `Number`,
/// `Vector`: see patch_grid.hpp.
template <class Number, class Vector>
struct LightPlane {
  Number weights{0.0f}, x{0.0f}, y{0.0f}, xx{0.0f}, xy{0.0f}, yy{0.0f};
  Vector light{0.0f}, light_x{0.0f}, light_y{0.0f};

  BC_HD void add(const Vector& its_light, Number weight, Number at_x, Number at_y) {
    const Number wx = weight * at_x, wy = weight * at_y;
    weights = weights + weight;
    x = x + wx;
    y = y + wy;
    xx = fused(wx, at_x, xx);
    xy = fused(wx, at_y, xy);
    yy = fused(wy, at_y, yy);
    light = fused_sum(light, its_light, weight);
    light_x = fused_sum(light_x, its_light, wx);
    light_y = fused_sum(light_y, its_light, wy);
  }
};

/// The plane's value at the centre of the window, at least 0. `ridge` (ridge regression) keeps
/// slopes small where the samples do not determine them.
BC_HD inline vec3 at_center(const LightPlane<float, vec3>& p, float ridge) {
  const float inverse = 1.0f / p.weights;
  const float cx = p.x * inverse, cy = p.y * inverse;  // the centroid
  const vec3 mean = p.light * inverse;
  const float xx = p.xx * inverse - cx * cx + ridge, yy = p.yy * inverse - cy * cy + ridge;
  const float xy = p.xy * inverse - cx * cy;
  const float determinant = xx * yy - xy * xy;
  if (!(determinant > 0.0f)) return mean;
  const vec3 lx = p.light_x * inverse - mean * cx, ly = p.light_y * inverse - mean * cy;
  const vec3 slope_x = (lx * yy - ly * xy) / determinant;
  const vec3 slope_y = (ly * xx - lx * xy) / determinant;
  return max_of(mean - slope_x * cx - slope_y * cy, vec3(0.0f));
}

/// Sums over the patches of a window, for each half of a pixel's samples: a plane fitted to their
/// light, and the variance that remains. `Number`, `Vector`: see patch_grid.hpp.
template <class Number, class Vector>
struct LightSums {
  LightPlane<Number, Vector> planes[2];
  Number variances[2]{Number(0.0f), Number(0.0f)};

  /// Adds a patch, x and y pixels away. `base` is the weight of the patch before its light is
  /// compared.
  template <class Light>
  BC_HD void add(const Light& own_guide, const Light& other, const Light& other_guide, Number base,
                 Number x, Number y) {
    // Squared differences above 36 variances give a weight of 0: 12 variances for each of the three
    // components, whose squares are added up.
    const Number most =
        fused(Number(36.0f), own_guide.variance + other_guide.variance, Number(1e-20f));
    const Number scale = reciprocal(either_min(most, Number(1e30f)));
    for (u32 half = 0; half < 2u; ++half) {
      const Vector d = own_guide.half[1u - half] - other_guide.half[1u - half];
      const Number alike = either_max(fused(fused_dot(d, d), -scale, Number(1.0f)), Number(0.0f));
      const Number weight = base * alike * alike;
      planes[half].add(other.half[half], weight, x, y);
      variances[half] = fused(weight * weight, other.variance, variances[half]);
    }
  }
};

/// Smooths the light of each patch over a window, guided by `guide`.
struct SmoothLight {
  // 3 blocks at once: then 24 warps fit on a multiprocessor instead of 16, which hides the latency
  // of memory.
  static constexpr u32 kBlocksAtOnce = 3;

  BC_HD static void item(u32 item, PatchGrid grid, PatchLights in, PatchLights guide, i32 radius,
                         PatchLights out) {
    grid.at_item(item, [&](u32 index, const PatchSurface& own) {
      const float inverse_width = inverse_width_of(radius);
      const PatchLight own_guide = guide.read(index);
      LightSums<float, vec3> sums;
      grid.around(index, radius, [&](u32 q, i32 dx, i32 dy) {
        const float x = static_cast<float>(dx), y = static_cast<float>(dy);
        const float near = nearness(x, y, inverse_width);
        if (!(near > 0.0f)) return;
        const PatchSurface theirs = grid.surfaces.read(q);
        if (!(theirs.samples > 0.0f)) return;
        const PatchLight other = in.read(q), other_guide = guide.read(q);
        sums.add(own_guide, other, other_guide,
                 base_weight(own, theirs, near, distance_in_pixels(dx, dy)), x, y);
      });
      out.write(index, result(sums, in.read(index), radius));
    });
  }

  BC_HD static float inverse_width_of(i32 radius) {
    const float sigma = sigma_of(radius);
    return 1.0f / (4.0f * sigma * sigma);
  }

  /// The square root of the weight of a patch that is x and y pixels away. A patch with a value of
  /// 0 or less does not count.
  template <class Number>
  BC_HD static Number nearness(Number x, Number y, Number inverse_width) {
    return Number(1.0f) - fused(x, x, y * y) * inverse_width;
  }

  template <class Surface, class Number>
  BC_HD static Number base_weight(const Surface& own, const Surface& theirs, Number near,
                                  Number distance) {
    const Number like = likeness(own, theirs, Number(1.0f) + Number(0.5f) * distance);
    // The factor is at least kStranger, so that a patch without any similar neighbour is smoothed a
    // little.
    return theirs.samples * near * near * either_max(like, Number(kStranger));
  }

  /// The smoothed light of a patch. `before`: its light before smoothing.
  BC_HD static PatchLight result(const LightSums<float, vec3>& sums, PatchLight before,
                                 i32 radius) {
    const float sigma = sigma_of(radius);
    PatchLight light = before;
    float variance = 0.0f;
    for (u32 half = 0; half < 2u; ++half) {
      const float weights = sums.planes[half].weights;
      if (!(weights > 0.0f)) continue;
      light.half[half] = at_center(sums.planes[half], kRidge * sigma * sigma);
      variance += 0.5f * sums.variances[half] / (weights * weights);
    }
    light.variance = max_of(variance, kLeastGain * light.variance);
    return light;
  }

 private:
  static constexpr float kStranger = 1e-3f;
  /// The ridge of the fitted planes, as a share of sigma squared. With a larger value, planes are
  /// flatter, and light from the middle of a wall reaches its rim.
  static constexpr float kRidge = 0.02f;
  /// A lower bound of the variance after smoothing, as a fraction of the variance before. With a
  /// smaller variance, the next smoothing would take small differences for edges.
  static constexpr float kLeastGain = 0.015f;

  BC_HD static float sigma_of(i32 radius) { return 0.6f * static_cast<float>(radius); }
};

/// The radius of the windows in pixels. The shadows of lamps are sharper than other light.
struct SmoothWindows {
  // The largest radius for the guide, which only has to show where light changes. 0: the blurred
  // guide is used directly.
  i32 guide;
  i32 lamp, ambient;
};
inline constexpr SmoothWindows kFullWindows{7, 5, 12}, kFastWindows{0, 2, 4};

}  // namespace ballotcast::detail
