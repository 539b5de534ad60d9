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
//   SmoothLight     the mean over a large window, guided by the guide
//   SmoothLight     the same, guided by its own result
#pragma once

#include "kernels/smooth/patches.hpp"

namespace ballotcast::detail {

/// What all steps need.
struct PatchGrid {
  const PatchSurface* surfaces;
  u32 width, height;
  float samples;  // per pixel

  BC_HD u32 pixels() const { return width * height; }

  /// Calls visit(index of q, its surface, dx, dy) for each patch q at most `radius` pixels away
  /// from patch `index`, itself included.
  template <class Visit>
  BC_HD void around(u32 index, i32 radius, Visit visit) const {
    const u32 pixel = index % pixels();
    const i32 x = static_cast<i32>(pixel % width), y = static_cast<i32>(pixel / width);
    const i32 w = static_cast<i32>(width), h = static_cast<i32>(height);
    const i32 left = x - radius < 0 ? -x : -radius, right = x + radius >= w ? w - 1 - x : radius;
    const i32 top = y - radius < 0 ? -y : -radius, bottom = y + radius >= h ? h - 1 - y : radius;
    for (i32 dy = top; dy <= bottom; ++dy)
      for (i32 dx = left; dx <= right; ++dx)
        for (u32 patch = 0; patch < kPatches; ++patch) {
          const u32 q = patch_index(static_cast<u32>((y + dy) * w + x + dx), patch, pixels());
          const PatchSurface surface = read_whole(&surfaces[q]);
          if (surface.samples > 0.0f) visit(q, surface, dx, dy);
        }
  }
};

/// From 0 to 1: how much two patches are on the same plane. `reach` is the distance from their
/// planes that is still small, in pixels.
BC_HD inline float likeness(const PatchSurface& p, const PatchSurface& q, float reach) {
  float facing = max_of(dot(p.normal, q.normal), 0.0f);
  for (u32 i = 0; i < 5u; ++i) facing *= facing;  // the power 32
  const vec3 way = q.position - p.position;
  const float a = dot(p.normal, way) * p.pixels_per_unit,
              b = dot(q.normal, way) * q.pixels_per_unit;
  const float off = 1.0f + (a * a + b * b) * reciprocal(reach * reach);
  return facing * reciprocal(min_of(off * off, 1e30f));
}

BC_HD inline float distance_in_pixels(i32 dx, i32 dy) {
  return static_cast<float>((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
}

BC_HD inline float mean_square(vec3 v) { return dot(v, v) * (1.0f / 3.0f); }

/// Lowers light that is far above what is usual around it, in one half of the samples only. Light
/// that both halves have found is there.
struct DropFireflies {
  BC_HD static void item(u32 index, PatchGrid grid, const PatchLight* in, bool keep,
                         PatchLight* out) {
    const PatchSurface own = grid.surfaces[index];
    PatchLight light = in[index];
    if (keep || !(own.samples > 0.0f)) {
      out[index] = light;
      return;
    }
    float sum = 0.0f, difference = 0.0f, weights = 0.0f;
    grid.around(index, 3, [&](u32 q, const PatchSurface& theirs, i32 dx, i32 dy) {
      if (q == index) return;
      const float weight =
          theirs.samples * likeness(own, theirs, 1.0f + distance_in_pixels(dx, dy));
      const PatchLight other = read_whole(&in[q]);
      const float a = luminance_of(other.half[0]), b = luminance_of(other.half[1]);
      sum += weight * (a + b);
      difference += weight * magnitude_of(a - b);
      weights += weight;
    });
    if (weights > 0.0f) {
      const float most =
          (0.5f * sum + kTolerance * sqrtf(grid.samples / own.samples) * difference) / weights;
      const float luminances[2] = {luminance_of(light.half[0]), luminance_of(light.half[1])};
      for (u32 half = 0; half < 2u; ++half) {
        const float limit = max_of(most, kAgreement * luminances[1u - half]);
        if (luminances[half] > limit)
          light.half[half] = light.half[half] * (limit / luminances[half]);
      }
    }
    out[index] = light;
  }

 private:
  /// How many times the usual difference of the halves light may be above the mean.
  static constexpr float kTolerance = 7.0f;
  /// How many times as bright as the other half light may be.
  static constexpr float kAgreement = 2.0f;
};

/// Estimates the variance of each patch's halves from the differences of halves around it.
struct MeasureNoise {
  BC_HD static void item(u32 index, PatchGrid grid, PatchLight* light, const PatchLight* in) {
    const float samples = grid.surfaces[index].samples;
    if (!(samples > 0.0f)) return;
    float sum = 0.0f, weights = 0.0f;
    grid.around(index, 3, [&](u32 q, const PatchSurface& theirs, i32, i32) {
      const vec3 d = in[q].half[0] - in[q].half[1];
      sum += 0.5f * mean_square(d) * theirs.samples / grid.samples;
      weights += 1.0f;
    });
    light[index].variance = sum / weights * (grid.samples / samples);
  }
};

/// Makes the guide: a mean over 5 by 5 pixels.
struct BlurGuide {
  BC_HD static void item(u32 index, PatchGrid grid, const PatchLight* in, PatchLight* out) {
    const PatchSurface own = grid.surfaces[index];
    if (!(own.samples > 0.0f)) {
      out[index] = in[index];
      return;
    }
    vec3 sums[2] = {vec3(0.0f), vec3(0.0f)};
    float variance = 0.0f, weights = 0.0f;
    grid.around(index, 2, [&](u32 q, const PatchSurface& theirs, i32 dx, i32 dy) {
      const float d2 = static_cast<float>(dx * dx + dy * dy);
      const float near = 1.0f - d2 * (1.0f / 18.0f);
      const float weight =
          theirs.samples * near * near * likeness(own, theirs, 1.0f + distance_in_pixels(dx, dy));
      const PatchLight other = read_whole(&in[q]);
      sums[0] = sums[0] + other.half[0] * weight;
      sums[1] = sums[1] + other.half[1] * weight;
      variance += other.variance * weight * weight;
      weights += weight;
    });
    out[index] = {{sums[0] / weights, sums[1] / weights}, variance / (weights * weights)};
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
    light_ = light_ + light * weight;
    light_x_ = light_x_ + light * wx;
    light_y_ = light_y_ + light * wy;
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
  BC_HD static void item(u32 index, PatchGrid grid, const PatchLight* in, const PatchLight* guide,
                         i32 radius, PatchLight* out) {
    const PatchSurface own = grid.surfaces[index];
    if (!(own.samples > 0.0f)) {
      out[index] = in[index];
      return;
    }
    const float sigma = 0.6f * static_cast<float>(radius);
    const float inverse_width = 1.0f / (4.0f * sigma * sigma);
    const PatchLight own_guide = guide[index];
    LightPlane planes[2];
    float variances[2] = {0.0f, 0.0f};
    grid.around(index, radius, [&](u32 q, const PatchSurface& theirs, i32 dx, i32 dy) {
      const float x = static_cast<float>(dx), y = static_cast<float>(dy);
      const float near = 1.0f - (x * x + y * y) * inverse_width;
      if (!(near > 0.0f)) return;
      // Not below kStranger, so that a patch without any neighbour of its kind is smoothed a
      // little.
      const float like = likeness(own, theirs, 1.0f + 0.5f * distance_in_pixels(dx, dy));
      const float base = theirs.samples * near * near * max_of(like, kStranger);
      const PatchLight other = read_whole(&in[q]), other_guide = read_whole(&guide[q]);
      const float variance = own_guide.variance + other_guide.variance;
      const float scale = reciprocal(min_of(6.0f * variance + 1e-20f, 1e30f));
      for (u32 half = 0; half < 2u; ++half) {
        const vec3 d = own_guide.half[1u - half] - other_guide.half[1u - half];
        const float alike = max_of(1.0f - mean_square(d) * scale, 0.0f);
        const float weight = base * alike * alike;
        planes[half].add(other.half[half], weight, x, y);
        variances[half] = fused(weight * weight, other.variance, variances[half]);
      }
    });
    PatchLight result = in[index];
    float variance = 0.0f;
    for (u32 half = 0; half < 2u; ++half) {
      const float weights = planes[half].weights();
      if (!(weights > 0.0f)) continue;
      result.half[half] = planes[half].at_center(0.05f * sigma * sigma);
      variance += 0.5f * variances[half] / (weights * weights);
    }
    result.variance = max_of(variance, kLeastGain * in[index].variance);
    out[index] = result;
  }

 private:
  static constexpr float kStranger = 1e-3f;
  /// The variance that is certainly left, as a part of the variance before.
  static constexpr float kLeastGain = 0.015f;
};

/// The size of the windows.
struct SmoothWindows {
  i32 lamp, ambient;  // radius in pixels; the shadows of lamps are sharper than other light
  u32 passes;
};
inline constexpr SmoothWindows kFullWindows{5, 12, 2}, kFastWindows{2, 4, 1};

/// The film is added up in strips: parts of a column, kStripRows high. They are short, so that a
/// GPU works on many, and neighbours are read together.
inline constexpr u32 kStripRows = 32;
BC_HD inline u32 strips_of(u32 width, u32 height) {
  return width * ((height + kStripRows - 1u) / kStripRows);
}

/// The pixels of strip number `strip`: every width-th from `first` on, below `end`.
struct Strip {
  u32 first, end;

  BC_HD Strip(u32 strip, u32 width, u32 height) {
    const u32 row = strip / width * kStripRows;
    first = row * width + strip % width;
    end = (height - row < kStripRows ? height : row + kStripRows) * width;
  }
};

/// Adds up, for a strip, the luminance that DropFireflies took away. `before` and `after` are its
/// input and its output.
struct SumLost {
  BC_HD static void item(u32 index, PatchGrid grid, const PixelPatches* patches,
                         const PatchLight* before, const PatchLight* after, double* sums) {
    const Strip strip(index, grid.width, grid.height);
    double lost = 0.0;
    for (u32 pixel = strip.first; pixel < strip.end; pixel += grid.width)
      for (u32 patch = 0; patch < kPatches; ++patch) {
        const PatchSums& own = patches[pixel].sums[patch];
        if (!(own.count() > 0.0f)) continue;
        const u32 at = patch_index(pixel, patch, grid.pixels());
        const vec3 light =
            before[at].half[0] - after[at].half[0] + (before[at].half[1] - after[at].half[1]);
        lost += static_cast<double>(luminance_of(own.color * light)) * 0.5;
      }
    sums[index] = lost;
  }
};

/// Adds up the luminance of a strip of the film.
struct SumFilm {
  BC_HD static void item(u32 index, u32 width, u32 height, const vec3* film, double* sums) {
    const Strip strip(index, width, height);
    double all = 0.0;
    for (u32 pixel = strip.first; pixel < strip.end; pixel += width)
      all += static_cast<double>(luminance_of(film[pixel]));
    sums[index] = all;
  }
};

}  // namespace ballotcast::detail
