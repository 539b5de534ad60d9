// Pixel arrays.
#pragma once

#include <vector>

#include "math/portable.hpp"

namespace ballotcast {

/// Three 8-bit sRGB channels, as written to a PNG.
struct Rgb8 {
  u8 r, g, b;
};
static_assert(sizeof(Rgb8) == 3);

/// Four 8-bit channels: sRGB colour and a linear alpha.
struct Rgba8 {
  u8 r, g, b, a;
};
static_assert(sizeof(Rgba8) == 4);

/// A picture: pixel (x, y) is pixels[y * width + x], row 0 on top.
template <class Pixel>
struct Image {
  u32 width = 0;
  u32 height = 0;
  std::vector<Pixel> pixels;
};

}  // namespace ballotcast
