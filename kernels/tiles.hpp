// The order in which a picture's pixels are worked through: neighbours together.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr u32 kTileSide = 8;

struct PixelPlace {
  u32 x, y;
};

/// Pixels [0, width) x [first_row, first_row + rows), in 8x8 tiles, rows inside a tile, so that a
/// warp of one sample a pixel covers 8x4 pixels. Tiles at the right and lower edge are narrower.
struct Tiling {
  u32 width;
  u32 rows;
  u32 first_row;

  BC_HD u32 pixels() const { return width * rows; }

  /// The place in the picture of the index-th pixel.
  BC_HD PixelPlace place(u32 index) const {
    const u32 band = index / (kTileSide * width);  // bands of tiles
    const u32 in_band = index - band * kTileSide * width;
    const u32 top = band * kTileSide;
    const u32 height = rows - top < kTileSide ? rows - top : kTileSide;
    const u32 tile = in_band / (kTileSide * height);
    const u32 in_tile = in_band - tile * kTileSide * height;
    const u32 left = tile * kTileSide;
    const u32 span = width - left < kTileSide ? width - left : kTileSide;
    return {left + in_tile % span, first_row + top + in_tile / span};
  }
};

}  // namespace ballotcast::detail
