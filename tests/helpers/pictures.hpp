// Pairs of pictures for tests of comparisons. The pictures are the same on every machine.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "image/picture.hpp"

namespace ballotcast::detail::testing {

struct NamedPair {
  std::string name;
  Image<Rgb8> reference, result;
};

inline Image<Rgb8> picture_of(u32 width, u32 height,
                              const std::function<Rgb8(u32 x, u32 y)>& pixel) {
  Image<Rgb8> image{width, height, {}};
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x) image.pixels.push_back(pixel(x, y));
  return image;
}

inline Image<Rgb8> gradient(u32 width = 120, u32 height = 90) {
  return picture_of(width, height, [=](u32 x, u32 y) {
    return Rgb8{static_cast<u8>(x * 255 / (width - 1)), static_cast<u8>(y * 255 / (height - 1)),
                static_cast<u8>((x + y) * 255 / (width + height - 2))};
  });
}

/// `image` with each sample changed randomly by at most `most`.
inline Image<Rgb8> noisy(Image<Rgb8> image, int most) {
  u32 state = 1;
  for (Rgb8& pixel : image.pixels)
    for (u8* sample : {&pixel.r, &pixel.g, &pixel.b}) {
      state = state * 1664525u + 1013904223u;
      const int moved = *sample + static_cast<int>(state >> 16) % (2 * most + 1) - most;
      *sample = static_cast<u8>(std::clamp(moved, 0, 255));
    }
  return image;
}

/// A picture of a bright line, one column wide, on dark grey.
inline Image<Rgb8> line_at(u32 column) {
  return picture_of(120, 90, [=](u32 x, u32) {
    const u8 grey = x == column ? 220 : 30;
    return Rgb8{grey, grey, grey};
  });
}

/// `image` with more blue.
inline Image<Rgb8> bluish(Image<Rgb8> image) {
  for (Rgb8& pixel : image.pixels) pixel.b = static_cast<u8>(std::min(pixel.b + 25, 255));
  return image;
}

inline std::vector<NamedPair> generated_pairs() {
  const auto grey = [](u32, u32) { return Rgb8{128, 128, 128}; };
  return {{"noise", gradient(), noisy(gradient(), 40)},
          {"line", line_at(60), line_at(61)},
          {"cast", gradient(), bluish(gradient())},
          {"random", picture_of(64, 48, grey), noisy(picture_of(64, 48, grey), 127)},
          {"narrow", gradient(5, 70), noisy(gradient(5, 70), 60)}};
}

}  // namespace ballotcast::detail::testing
