// What machines give back for a frame; ballotcast/frame.hpp has what users get.
#pragma once

#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/smooth/patches.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// The film of some rows before soft light is smoothed, pixel by pixel.
struct RawFilm {
  Array<vec3> light;
  Array<u32> casts;
  Array<PixelPatches> patches;
};

/// A frame as machines draw it, with its film: a whole picture, or the rows that the settings
/// state.
struct DrawnFrame : Frame {
  std::vector<vec3> film;  // if kept: mean radiance before exposure, in the order of image.pixels
  // Of some rows whose light is to be smoothed: their film, and then there are no pixels.
  RawFilm raw;
};

}  // namespace ballotcast::detail
