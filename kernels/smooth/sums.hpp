// Sums of luminance: of the light that the filter has removed from fireflies, and of the light that
// is left.
//
// Fireflies are rare samples that find much light. Without them the picture would be too dark: the
// eye notices a loss of 1 % in a wide area. So the lost light is given back, evenly to all light of
// the same kind. Light that was lost in pixels that show a lamp is not given back, because it
// belongs to the surfaces right beside the lamp.
#pragma once

#include <algorithm>

#include "kernels/smooth/patch_grid.hpp"

namespace ballotcast::detail {

/// The film is added up in strips. A strip is one pixel wide and kStripRows pixels high. Strips are
/// short, so that a GPU works on many at once; its lanes read neighbouring strips.
inline constexpr u32 kStripRows = 32;
BC_HD inline u32 strips_of(u32 width, u32 height) {
  return width * ((height + kStripRows - 1u) / kStripRows);
}

/// The pixels of strip number `strip`: first, first + width, and so on, below `end`.
struct Strip {
  u32 first, end;

  BC_HD Strip(u32 strip, u32 width, u32 height) {
    const u32 row = strip / width * kStripRows;
    first = row * width + strip % width;
    end = (height - row < kStripRows ? height : row + kStripRows) * width;
  }
};

/// What DropFireflies has removed from one kind of light, and what is left, in luminance.
struct FireflySums {
  double lost;  // removed from all pixels
  double away;  // removed from pixels that show no lamp
  double left;  // left in pixels that show no lamp

  /// The factor that gives back the light lost in pixels without lamps. It is limited, so that the
  /// loss of a few pixels does not make all others bright.
  float gain() const {
    constexpr double kMost = 0.05;  // so the light grows by at most 5 %
    return left > 0.0 ? static_cast<float>(1.0 + std::min(away / left, kMost)) : 1.0f;
  }
  /// The light that is still missing after this factor.
  double missing() const { return lost - (static_cast<double>(gain()) - 1.0) * left; }
};

/// Adds up FireflySums for a strip. `before` and `after`: input and output of DropFireflies.
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
