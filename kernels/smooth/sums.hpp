// Adds up luminance: what the filter took away, and what is left.
#pragma once

#include "kernels/smooth/patch_grid.hpp"

namespace ballotcast::detail {

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
  BC_HD static void item(u32 index, PatchGrid grid, const PixelPatches* patches, PatchLights before,
                         PatchLights after, double* sums) {
    const Strip strip(index, grid.width, grid.height);
    double lost = 0.0;
    for (u32 pixel = strip.first; pixel < strip.end; pixel += grid.width)
      for (u32 patch = 0; patch < kPatches; ++patch) {
        const PatchSums& own = patches[pixel].sums[patch];
        if (!(own.count() > 0.0f)) continue;
        const u32 at = patch_index(pixel, patch, grid.pixels());
        const PatchLight b = before.read(at), a = after.read(at);
        const vec3 light = b.half[0] - a.half[0] + (b.half[1] - a.half[1]);
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
