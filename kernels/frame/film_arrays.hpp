// The arrays of a film in one block of memory, so that one copy moves all of them.
#pragma once

#include "kernels/smooth/halved_array.hpp"
#include "kernels/smooth/patches.hpp"

namespace ballotcast::detail {

/// For each pixel of some rows:
///
///   block:  | patches, if soft light is smoothed | light | rays cast | covered |
///
struct FilmArrays {
  PixelPatches* patches = nullptr;  // null if nothing is smoothed
  vec3* light = nullptr;   // sums over samples: of all light, or only of what is not smoothed
  u32* casts = nullptr;    // the number of rays
  u32* covered = nullptr;  // the number of samples that show a surface, and kShowsLamp

  FilmArrays(Quad* block, u64 pixels, bool smooth) {
    if (smooth) patches = reinterpret_cast<PixelPatches*>(block);
    light = reinterpret_cast<vec3*>(reinterpret_cast<PixelPatches*>(block) + (smooth ? pixels : 0));
    casts = reinterpret_cast<u32*>(light + pixels);
    covered = casts + pixels;
  }

  /// The number of a pixel's samples that show a surface.
  BC_HD u32 covered_samples(u32 pixel) const { return covered[pixel] & ~kShowsLamp; }

  /// The size of the block.
  static u64 quads_for(u64 pixels, bool smooth) {
    const u64 of_pixel = (smooth ? sizeof(PixelPatches) : 0) + sizeof(vec3) + 2 * sizeof(u32);
    return (pixels * of_pixel + sizeof(Quad) - 1) / sizeof(Quad);
  }
};
static_assert(alignof(PixelPatches) <= alignof(Quad));

}  // namespace ballotcast::detail
