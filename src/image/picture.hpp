// Pictures of a scene.
#pragma once

#include <utility>

#include "ballotcast/image.hpp"
#include "image/rgba8.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// A picture of a scene, for example a texture. Like Image, but its pixels may lie in a mapped
/// file.
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
