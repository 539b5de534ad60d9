// Pixel arrays.
#pragma once

#include <vector>

#include "ballotcast/image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Four 8-bit channels: sRGB colour and linear alpha.
struct Rgba8 {
  u8 r, g, b, a;
};
static_assert(sizeof(Rgba8) == 4);

}  // namespace ballotcast::detail
