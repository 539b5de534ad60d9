// A film: the sums of all samples of a picture, and how they become its pixels.
#pragma once

#include "image/color.hpp"
#include "image/image.hpp"
#include "kernels/film_arrays.hpp"
#include "kernels/paths.hpp"

namespace ballotcast::detail {

/// A film: for each pixel, sums over its samples. The pixels are stored row by row from the top,
/// beginning with the picture's row first_row.
struct FilmView {
  FilmArrays arrays;
  CameraView camera;
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
    const bool fresh = range.first_sample == 0u;
    vec3 sum = fresh ? vec3(0.0f) : film.arrays.light[pixel];
    u32 casts = fresh ? 0u : film.arrays.casts[pixel];
    u32 covered = fresh ? 0u : film.arrays.covered[pixel];
    for (u32 sample = 0; sample < range.samples; ++sample) {
      const u32 i = range.path_of(index, sample);
      sum = sum + paths.light[0][i].light;
      casts += paths.casts[i] & ~kCovers;
      covered += (paths.casts[i] & kCovers) != 0u ? 1u : 0u;
    }
    film.arrays.light[pixel] = sum;
    film.arrays.casts[pixel] = casts;
    film.arrays.covered[pixel] = covered;
    if (!film.arrays.patches) return;
    PixelPatches patches = fresh ? PixelPatches{} : film.arrays.patches[pixel];
    for (u32 sample = 0; sample < range.samples; ++sample) {
      const u32 i = range.path_of(index, sample);
      const Feature& feature = paths.features[i];
      if (!(feature.hits > 0.0f)) continue;  // then all of its light is sharp
      const vec3 color = dividing_color(feature.color);
      patches.add({feature,
                   {paths.light[static_cast<u32>(LightKind::lamp)][i].light / color,
                    paths.light[static_cast<u32>(LightKind::ambient)][i].light / color},
                   (range.first_sample + sample) & 1u},
                  film.camera);
    }
    film.arrays.patches[pixel] = patches;
  }
};

/// Turns the sums of the film into 8-bit colour codes.
struct Develop {
  static constexpr float kMostRadiance = 1.0e30f;

  BC_HD static void item(u32 pixel, const vec3* film, u32 samples, Encoding encoding,
                         ColorMatrix white_balance, float exposure, const float* thresholds,
                         Rgb8* codes) {
    const vec3 mean = film[pixel] / static_cast<float>(samples);
    if (encoding == Encoding::plain) {
      codes[pixel] = {plain_code(mean.x), plain_code(mean.y), plain_code(mean.z)};
      return;
    }
    vec3 light = mean;
    if (encoding == Encoding::light) {
      // Clamped, because the matrix must not multiply an infinity by 0.
      const vec3 finite(clamp_to(mean.x, 0.0f, kMostRadiance),
                        clamp_to(mean.y, 0.0f, kMostRadiance),
                        clamp_to(mean.z, 0.0f, kMostRadiance));
      const vec3 balanced = white_balance.of(finite);
      light = vec3(roll_off(balanced.x * exposure), roll_off(balanced.y * exposure),
                   roll_off(balanced.z * exposure));
    }
    codes[pixel] = {srgb_code(light.x, thresholds), srgb_code(light.y, thresholds),
                    srgb_code(light.z, thresholds)};
  }
};

}  // namespace ballotcast::detail
