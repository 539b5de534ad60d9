// The result of a frame on machines; ballotcast/frame.hpp has the result for users.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/smooth/patches.hpp"
#include "math/ray.hpp"
#include "support/array.hpp"
#include "support/function_ref.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Casts `count` rays. All arrays are in the machine's memory; `visits` may be null.
using CastForFrame =
    FunctionRef<CastCounts(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count)>;

/// The arrays of a film in one block of memory, so that one copy moves all of them. For each pixel
/// of some rows:
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

/// The film of some rows before soft light is smoothed, pixel by pixel. It is in the memory of the
/// machine that drew it (FrameSettings::raw_stays), of the host, or of another process.
struct RawFilm {
  u32 first_row = 0;  // of the picture
  u64 pixels = 0;
  Quad* block = nullptr;              // FilmArrays
  std::shared_ptr<const void> owner;  // of the block
  std::optional<LentMemory> lent;     // if another process may read the block: where it is

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

/// A frame from a machine, with its film: a whole picture, or the rows that the settings state.
struct DrawnFrame : Frame {
  std::vector<vec3> film;  // if kept: mean radiance before exposure, in the order of image.pixels
  // If only some rows were drawn and their light is still to be smoothed: their film, in chunks.
  // Then there are no pixels yet.
  std::vector<RawFilm> raw;
};

}  // namespace ballotcast::detail
