// Adds up luminance: the light that the filter took from fireflies, and the light that is left.
//
// Fireflies are rare hits of something that gives much light. Without them the picture would be too
// dark, and the eye notices one hundredth less in a wide area. So the lost light is given back,
// evenly to all light of the same kind. Light that was lost in pixels that show a lamp is not given
// back: it lies only beside the lamp.
#pragma once

#include <algorithm>

#include "kernels/smooth/patch_grid.hpp"

namespace ballotcast::detail {

/// The film is added up in strips: parts of a column, kStripRows high. They are short, so that a
/// GPU works on many at once, and neighbouring strips are read together.
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

/// What DropFireflies did to one kind of light, in luminance.
struct FireflySums {
  double lost;  // in all pixels
  double away;  // of that, in pixels that show no lamp
  double left;  // in pixels that show no lamp

  /// The factor that gives back what was lost away from lamps. It is limited: light that a few
  /// pixels have lost must not make all others bright.
  float gain() const {
    constexpr double kMost = 0.05;
    return left > 0.0 ? static_cast<float>(1.0 + std::min(away / left, kMost)) : 1.0f;
  }
  /// The light that is missing even with that factor.
  double missing() const { return lost - (static_cast<double>(gain()) - 1.0) * left; }
};

/// Adds up FireflySums for a strip. `before` and `after` are input and output of DropFireflies.
struct SumLost {
  BC_HD static void item(u32 index, PatchGrid grid, const PixelPatches* patches, const u32* covered,
                         PatchLights before, PatchLights after, FireflySums* sums) {
    const Strip strip(index, grid.width, grid.height);
    FireflySums all{0.0, 0.0, 0.0};
    for (u32 pixel = strip.first; pixel < strip.end; pixel += grid.width)
      for (u32 patch = 0; patch < kPatches; ++patch) {
        const PatchSums& own = patches[pixel].sums[patch];
        if (!(own.count() > 0.0f)) continue;
        const u32 at = patch_index(pixel, patch, grid.pixels());
        const PatchLight b = before.read(at), a = after.read(at);
        const vec3 light = b.half[0] - a.half[0] + (b.half[1] - a.half[1]);
        const double lost = static_cast<double>(luminance_of(own.color * light)) * 0.5;
        all.lost += lost;
        if ((covered[pixel] & kShowsLamp) != 0u) continue;
        all.away += lost;
        all.left += static_cast<double>(luminance_of(own.color * (a.half[0] + a.half[1]))) * 0.5;
      }
    sums[index] = all;
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
