// The result of drawing a frame inside the library; ballotcast/frame.hpp has the result for users.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/smooth/patches.hpp"
#include "math/ray_hit.hpp"
#include "support/array.hpp"
#include "support/function_ref.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Casts `count` rays. All arrays are in the machine's memory; `visits` may be null.
using CastForFrame =
    FunctionRef<CastCounts(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count)>;

/// The arrays of a film in one block of memory, so that they are copied at once. Soft light is the
/// light that is smoothed: of the kinds lamp and ambient (LightKind). For each pixel of some rows:
///
///   block:  | patches, if soft light is smoothed | light | rays cast | covered |
///
struct FilmArrays {
  PixelPatches* patches = nullptr;  // null if nothing is smoothed
  // Sums over samples: of all light; or, if soft light is smoothed, only of the sharp light.
  vec3* light = nullptr;
  u32* casts = nullptr;  // for each pixel: the number of rays
  // For each pixel: the number of samples that show a surface, and the bit kShowsLamp.
  u32* covered = nullptr;

  FilmArrays(Quad* block, u64 pixels, bool smooth) {
    if (smooth) patches = reinterpret_cast<PixelPatches*>(block);
    light = reinterpret_cast<vec3*>(reinterpret_cast<PixelPatches*>(block) + (smooth ? pixels : 0));
    casts = reinterpret_cast<u32*>(light + pixels);
    covered = casts + pixels;
  }

  /// The number of a pixel's samples that show a surface.
  BC_HD u32 covered_samples(u32 pixel) const { return covered[pixel] & ~kShowsLamp; }

  /// The size of the block, in quads of 16 bytes.
  static u64 quads_for(u64 pixels, bool smooth) {
    const u64 of_pixel = (smooth ? sizeof(PixelPatches) : 0) + sizeof(vec3) + 2 * sizeof(u32);
    return (pixels * of_pixel + sizeof(Quad) - 1) / sizeof(Quad);
  }
};
static_assert(alignof(PixelPatches) <= alignof(Quad));

/// The film of some rows, before soft light is smoothed. It is in the memory of the machine that
/// drew it (FrameSettings::raw_stays), of the host, or of another process.
struct RawFilm {
  u32 first_row = 0;  // the first of these rows, counted from the top of the picture
  u64 pixels = 0;
  Quad* block = nullptr;              // the memory of FilmArrays
  std::shared_ptr<const void> owner;  // keeps the block alive
  std::optional<LentMemory> lent;     // how another process finds the block, if it may read it

  u64 quads() const { return FilmArrays::quads_for(pixels, true); }
};

/// An empty film in host memory.
inline RawFilm host_film(u32 first_row, u64 pixels) {
  RawFilm film{first_row, pixels, nullptr, nullptr, {}};
  const auto own = std::make_shared<Array<Quad>>(Array<Quad>::unset(film.quads()));
  film.block = own->data();
  film.owner = own;
  return film;
}

/// A frame that a machine has drawn, with its film: a whole picture, or only the rows that the
/// settings name.
struct DrawnFrame : Frame {
  // If FrameSettings::keep_film: mean radiance before exposure, in the order of image.pixels.
  std::vector<vec3> film;
  // Set if only some rows were drawn and their light is still to be smoothed: the film of these
  // rows, in chunks. Then there are no pixels yet.
  std::vector<RawFilm> raw;
};

}  // namespace ballotcast::detail
