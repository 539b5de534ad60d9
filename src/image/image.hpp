// Pixel arrays.
#pragma once

#include <utility>

#include "ballotcast/image.hpp"
#include "math/portable.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// Four 8-bit channels: sRGB colour and linear alpha. Aligned, so that a GPU reads all four at
/// once.
struct alignas(4) Rgba8 {
  u8 r, g, b, a;
};
static_assert(sizeof(Rgba8) == 4);

/// A picture of a scene. As Image, but its pixels may lie in a mapped file.
template <class Pixel>
struct Picture {
  u32 width = 0;
  u32 height = 0;
  Array<Pixel> pixels;

  Picture() = default;
  Picture(u32 width_, u32 height_, Array<Pixel> pixels_)
      : width(width_), height(height_), pixels(std::move(pixels_)) {}
  Picture(Image<Pixel> image)
      : width(image.width), height(image.height), pixels(std::move(image.pixels)) {}
};

}  // namespace ballotcast::detail
