// Pixel arrays.
#pragma once

#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

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

/// A picture as its file has it: channel c of pixel (x, y) is
/// samples[(y * width + x) * channels + c], from 0 to 255 or 65535; alpha is the last channel.
struct SampledImage {
  u32 width = 0;
  u32 height = 0;
  u32 channels = 0;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  u32 depth = 0;     // bits a sample: 8 or 16
  std::vector<u16> samples;
};

/// The same pixels, as 8-bit RGB samples.
inline SampledImage sampled(const Image<Rgb8>& image) {
  SampledImage out{image.width, image.height, 3, 8, {}};
  out.samples.reserve(image.pixels.size() * 3);
  for (const Rgb8& pixel : image.pixels)
    for (const u8 sample : {pixel.r, pixel.g, pixel.b}) out.samples.push_back(sample);
  return out;
}

}  // namespace ballotcast::detail
