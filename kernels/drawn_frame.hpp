// What machines give back for a frame; ballotcast/frame.hpp has what users get.
#pragma once

#include <memory>
#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/smooth/patches.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// The film of some rows before soft light is smoothed, pixel by pixel. It lies in the memory of
/// the machine that drew it (FrameSettings::raw_stays), or of the host.
struct RawFilm {
  u32 first_row = 0;  // of the picture
  u64 pixels = 0;
  vec3* light = nullptr;
  u32* casts = nullptr;
  PixelPatches* patches = nullptr;
  std::shared_ptr<const void> owner;  // of the arrays
};

/// A film in host memory, to be filled.
inline RawFilm host_film(u32 first_row, u64 pixels) {
  struct Arrays {
    Array<vec3> light;
    Array<u32> casts;
    Array<PixelPatches> patches;
  };
  const auto own = std::make_shared<Arrays>(Arrays{
      Array<vec3>::unset(pixels), Array<u32>::unset(pixels), Array<PixelPatches>::unset(pixels)});
  return {first_row, pixels, own->light.data(), own->casts.data(), own->patches.data(), own};
}

/// A frame as machines draw it, with its film: a whole picture, or the rows that the settings
/// state.
struct DrawnFrame : Frame {
  std::vector<vec3> film;  // if kept: mean radiance before exposure, in the order of image.pixels
  // Of some rows whose light is to be smoothed: their film, in pieces, and then there are no
  // pixels.
  std::vector<RawFilm> raw;
};

}  // namespace ballotcast::detail
