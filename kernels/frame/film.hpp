// A film: the sums of all samples of a picture, and their conversion to pixels.
#pragma once

#include "image/color.hpp"
#include "image/picture.hpp"
#include "kernels/frame/drawn_frame.hpp"
#include "kernels/frame/frame_settings.hpp"
#include "kernels/frame/paths.hpp"

namespace ballotcast::detail {

/// A film: for each pixel, sums over its samples. The pixels are stored row by row from the top,
/// beginning with row first_row of the picture.
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
      if (!(feature.hits > 0.0f)) continue;  // a sample without surface has only sharp light
      const vec3 color = dividing_color(feature.color);
      if (feature.emits > 0.0f) covered |= kShowsLamp;
      patches.add({feature,
                   {paths.light[static_cast<u32>(LightKind::lamp)][i].light / color,
                    paths.light[static_cast<u32>(LightKind::ambient)][i].light / color},
                   2u * (range.first_sample + sample) < range.samples_a_pixel ? 0u : 1u},
                  film.camera);
    }
    film.arrays.patches[pixel] = patches;
    film.arrays.covered[pixel] = covered;
  }
};

/// Converts the sums of the film to 8-bit colour codes. If the caller has chosen a background, the
/// sums contain only the light of samples that show a surface. A background colour is mixed with
/// the colours of these samples after the roll-off, so that it is the same at any exposure.
struct Develop {
  // Larger radiance, such as an infinity, is clamped to this, so that no product becomes NaN.
  static constexpr float kMostRadiance = 1.0e30f;

  BC_HD static void item(u32 pixel, FilmArrays film, u32 samples, Encoding encoding,
                         ColorMatrix white_balance, float exposure, Background background,
                         const float* thresholds, Rgb8* codes) {
    const u32 covered = background.is_sky() ? samples : film.covered_samples(pixel);
    if (covered == 0u) {
      codes[pixel] = background.code;
      return;
    }
    vec3 light =
        shown(film.light[pixel] / static_cast<float>(covered), encoding, white_balance, exposure);
    if (background.kind == Background::Kind::color && covered < samples) {
      const float share = static_cast<float>(covered) / static_cast<float>(samples);
      light = light * share + background.value * (1.0f - share);
    }
    codes[pixel] = encoding == Encoding::plain
                       ? Rgb8{plain_code(light.x), plain_code(light.y), plain_code(light.z)}
                       : Rgb8{srgb_code(light.x, thresholds), srgb_code(light.y, thresholds),
                              srgb_code(light.z, thresholds)};
  }

 private:
  /// The values that are quantized to colour codes: `mean`, with white balance, exposure and
  /// roll-off if the encoding has them.
  BC_HD static vec3 shown(vec3 mean, Encoding encoding, const ColorMatrix& white_balance,
                          float exposure) {
    if (encoding == Encoding::light) {
      // Clamped first, because the matrix must not multiply an infinity by 0.
      const vec3 finite(clamp_to(mean.x, 0.0f, kMostRadiance),
                        clamp_to(mean.y, 0.0f, kMostRadiance),
                        clamp_to(mean.z, 0.0f, kMostRadiance));
      const vec3 balanced = white_balance.of(finite);
      return vec3(roll_off(balanced.x * exposure), roll_off(balanced.y * exposure),
                  roll_off(balanced.z * exposure));
    }
    return mean;
  }
};

}  // namespace ballotcast::detail
