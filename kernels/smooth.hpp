// Smoothing of sampled light: an edge-avoiding wavelet filter that the pixels' own variance steers.
//
// Light that came by a bounce or from a lamp is noisy at few samples and mostly smooth in truth. It
// is divided by the surface's colour (so that textures stay sharp), averaged with neighbours that
// lie on the same surface and differ by no more than the noise explains, at steps 1, 2, 4, 8, 16,
// and multiplied back. More samples mean less variance, so smoothing fades as pictures converge.
// (H. Dammertz et al., Edge-Avoiding A-Trous Wavelet Transform for Fast Global Illumination
// Filtering, HPG 2010; the variance after C. Schied et al., Spatiotemporal Variance-Guided
// Filtering, HPG 2017, with rational weights in place of exponentials.)
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// What is known of the surfaces a pixel's camera rays met. Where two surfaces share a pixel, a
/// mean place would lie on neither, so the first sample's stands for the pixel.
struct Feature {
  vec3 color{0.0f};     // sum over samples
  vec3 normal{0.0f};    // of the first sample that hit
  vec3 position{0.0f};  // of the same
  float hits = 0.0f;    // how many samples did

  BC_HD Feature plus(const Feature& later) const {
    const Feature& first = hits > 0.0f ? *this : later;
    return {color + later.color, first.normal, first.position, hits + later.hits};
  }
};

/// A pixel's soft light per surface colour, and the variance of that mean's luminance.
struct SoftLight {
  vec3 light;
  float variance;
};

inline constexpr u32 kSmoothingSteps = 5;

BC_HD inline float luminance_of(vec3 c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

/// The colour soft light is divided by: never near zero.
BC_HD inline vec3 dividing_color(vec3 mean) {
  return {max_of(mean.x, 0.01f), max_of(mean.y, 0.01f), max_of(mean.z, 0.01f)};
}

/// Sums over a pixel's samples, by pixel in rows from the top.
struct SoftFilm {
  vec3* light;     // soft radiance
  float* squares;  // squares of its luminance
  Feature* features;
};

/// From sums over samples to soft light.
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

/// One step of the filter: 5 by 5 pixels, `step` apart.
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
          facing *= facing;  // to the 8th
          facing *= facing;
          facing *= facing;  // to the 32nd
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
  /// Weights of the cubic B-spline at distances 0, 1, 2.
  BC_HD static float spline(i32 distance) {
    return distance == 0 ? 0.375f : distance == 1 || distance == -1 ? 0.25f : 0.0625f;
  }

  /// The variance around a pixel: one pixel's own estimate is too rough.
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

/// Puts smoothed soft light back into the film: film becomes the sum of all light.
struct JoinSoftLight {
  BC_HD static void item(u32 pixel, const SoftLight* soft, const Feature* features, u32 samples,
                         vec3* film) {
    const float n = static_cast<float>(samples);
    film[pixel] = film[pixel] + soft[pixel].light * dividing_color(features[pixel].color / n) * n;
  }
};

}  // namespace ballotcast::detail
