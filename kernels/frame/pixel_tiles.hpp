// The order in which pixels are processed: tile by tile, so that neighbouring pixels are processed
// together.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr u32 kTileSide = 8;

/// A quotient and its remainder.
struct Divided {
  u32 quotient, rest;
};

/// `number` divided by `by`. The case `by == kUsual` is the most frequent; it needs no slow
/// division, because kUsual is known to the compiler.
template <u32 kUsual>
BC_HD inline Divided divided(u32 number, u32 by) {
  if (by == kUsual) return {number / kUsual, number % kUsual};
  return {number / by, number % by};
}

struct PixelPlace {
  u32 x, y;
};

/// The position of pixel number `index` in a band, which is a row of tiles that is `height` pixels
/// high.
BC_HD inline PixelPlace place_in_band(u32 width, u32 height, u32 index) {
  const Divided tile = divided<kTileSide * kTileSide>(index, kTileSide * height);
  const u32 left = tile.quotient * kTileSide;
  const u32 span = width - left < kTileSide ? width - left : kTileSide;
  const Divided row = divided<kTileSide>(tile.rest, span);
  return {left + row.rest, row.quotient};
}

/// The pixels [0, width) x [first_row, first_row + rows) in tiles of 8x8, row by row inside a tile.
/// With one sample per pixel, a warp covers 8x4 pixels. Tiles at the right and lower edge may be
/// smaller.
///
///          x  0 .. 7    8 .. 15
///   y 0      +---------+---------+--
///            | 0 .. 7  | 64 ..71 |       the index of a pixel grows along the row of its tile,
///     1      | 8 ..15  | 72 ..79 |       then down the tile, then on to the next tile
///     ..     |   ..    |   ..    |
///     7      | 56..63  |120..127 |
///            +---------+---------+--
struct Tiling {
  u32 width;
  u32 rows;
  u32 first_row;

  BC_HD u32 pixels() const { return width * rows; }

  /// The position in the picture of the pixel with number `index`.
  BC_HD PixelPlace place(u32 index) const {
    const u32 band = index / (kTileSide * width);
    const u32 top = band * kTileSide;
    const u32 height = rows - top < kTileSide ? rows - top : kTileSide;
    const PixelPlace place = place_in_band(width, height, index - top * width);
    return {place.x, first_row + top + place.y};
  }
};

}  // namespace ballotcast::detail
