// Smooths soft light with an edge-avoiding wavelet filter, whose strength follows the variance of
// each pixel.
//
// Soft light is all light on a surface except direct sunlight: light from lamps, from the sky and
// from other surfaces. It is noisy at few samples, although it changes slowly over most surfaces.
// The filter divides it by the surface's colour (so that textures stay sharp), averages it with
// neighbours, and multiplies the colour back. Neighbours count less if they are on another surface,
// or if their light differs by more than the noise explains. The filter works at pixel distances 1,
// 2, 4, 8 and 16. More samples mean less variance, so the filter fades out as a picture converges.
// (H. Dammertz et al., Edge-Avoiding A-Trous Wavelet Transform for Fast Global Illumination
// Filtering, HPG 2010; the variance after C. Schied et al., Spatiotemporal Variance-Guided
// Filtering, HPG 2017, with rational weights in place of exponentials.)
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// The surface that a pixel's camera rays hit. Where two surfaces share a pixel, a mean position
/// would lie on neither, so normal and position are those of the first sample that hit.
struct Feature {
  vec3 color{0.0f};     // sum over samples
  vec3 normal{0.0f};    // of the first sample that hit
  vec3 position{0.0f};  // of the first sample that hit
  float hits = 0.0f;    // number of samples that hit

  BC_HD Feature plus(const Feature& later) const {
    const Feature& first = hits > 0.0f ? *this : later;
    return {color + later.color, first.normal, first.position, hits + later.hits};
  }
};

/// A pixel's soft light divided by its surface colour, and the variance of that mean's luminance.
struct SoftLight {
  vec3 light;
  float variance;
};

inline constexpr u32 kSmoothingSteps = 5;

BC_HD inline float luminance_of(vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

/// The colour that soft light is divided by. Its components are at least 0.01.
BC_HD inline vec3 dividing_color(vec3 mean) {
  return {max_of(mean.x, 0.01f), max_of(mean.y, 0.01f), max_of(mean.z, 0.01f)};
}

/// Sums over each pixel's samples. Each array has one element per pixel, row by row from the top.
struct SoftFilm {
  vec3* light;     // sum of soft radiance
  float* squares;  // sum of the squares of its luminance
  Feature* features;
};

/// Computes the SoftLight of each pixel from the sums over its samples.
struct SplitSoftLight {
  BC_HD static void item(u32 pixel, SoftFilm film, u32 samples, SoftLight* out) {
    const float n = static_cast<float>(samples);
    const vec3 color = dividing_color(film.features[pixel].color / n);
    const vec3 mean = film.light[pixel] / n;
    const float luminance = luminance_of(mean), scale = luminance_of(color);
    const float spread = max_of(film.squares[pixel] / n - luminance * luminance, 0.0f);
    out[pixel] = {mean / color, spread / (n * scale * scale)};
  }
};

/// One step of the filter: each pixel becomes the weighted mean of 5 by 5 pixels around it, which
/// are `step` pixels apart.
struct SmoothStep {
  BC_HD static void item(u32 pixel, const SoftLight* in, SoftLight* out, const Feature* features,
                         u32 width, u32 height, u32 step, float pixel_angle, vec3 eye) {
    const SoftLight center = in[pixel];
    const Feature own = features[pixel];
    if (!(own.hits > 0.0f)) {
      out[pixel] = center;
      return;
    }
    const vec3 normal = own.normal, position = own.position;
    const i32 x = static_cast<i32>(pixel % width), y = static_cast<i32>(pixel / width);
    const vec3 sight = position - eye;
    const float footprint =
        sqrtf(dot(sight, sight)) * pixel_angle * static_cast<float>(step) + 1e-20f;
    const float noise = mean_variance(in, x, y, width, height);
    const float luminance = luminance_of(center.light);
    vec3 light(0.0f);
    float variance = 0.0f, weights = 0.0f;
    for (i32 dy = -2; dy <= 2; ++dy)
      for (i32 dx = -2; dx <= 2; ++dx) {
        const i32 qx = x + dx * static_cast<i32>(step), qy = y + dy * static_cast<i32>(step);
        if (qx < 0 || qy < 0 || qx >= static_cast<i32>(width) || qy >= static_cast<i32>(height))
          continue;
        const u32 q = static_cast<u32>(qy) * width + static_cast<u32>(qx);
        const SoftLight other = in[q];
        float weight = spline(dx) * spline(dy);
        if (q != pixel) {
          const Feature theirs = features[q];
          if (!(theirs.hits > 0.0f)) continue;
          float facing = max_of(dot(normal, theirs.normal), 0.0f);
          facing *= facing;
          facing *= facing;
          facing *= facing;  // the power 8
          facing *= facing;
          facing *= facing;  // the power 32
          const float off_plane = dot(normal, theirs.position - position) / footprint;
          const float difference = luminance_of(other.light) - luminance;
          weight *= facing / ((1.0f + off_plane * off_plane) *
                              (1.0f + difference * difference / (4.0f * noise + 1e-12f)));
        }
        light = light + other.light * weight;
        variance += other.variance * weight * weight;
        weights += weight;
      }
    out[pixel] = {light / weights, variance / (weights * weights)};
  }

 private:
  /// The weights of the cubic B-spline at distances 0, 1 and 2.
  BC_HD static float spline(i32 distance) {
    return distance == 0 ? 0.375f : distance == 1 || distance == -1 ? 0.25f : 0.0625f;
  }

  /// The mean variance of 3 by 3 pixels, because the estimate of a single pixel is too rough.
  BC_HD static float mean_variance(const SoftLight* in, i32 x, i32 y, u32 width, u32 height) {
    float sum = 0.0f, count = 0.0f;
    for (i32 dy = -1; dy <= 1; ++dy)
      for (i32 dx = -1; dx <= 1; ++dx) {
        const i32 qx = x + dx, qy = y + dy;
        if (qx < 0 || qy < 0 || qx >= static_cast<i32>(width) || qy >= static_cast<i32>(height))
          continue;
        sum += in[static_cast<u32>(qy) * width + static_cast<u32>(qx)].variance;
        count += 1.0f;
      }
    return sum / count;
  }
};

/// Adds smoothed soft light back to the film, which then holds the sum of all light.
struct JoinSoftLight {
  BC_HD static void item(u32 pixel, const SoftLight* soft, const Feature* features, u32 samples,
                         vec3* film) {
    const float n = static_cast<float>(samples);
    film[pixel] = film[pixel] + soft[pixel].light * dividing_color(features[pixel].color / n) * n;
  }
};

}  // namespace ballotcast::detail
