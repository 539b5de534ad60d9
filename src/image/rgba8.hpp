// A pixel of a texture.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Four 8-bit channels: sRGB colour and linear alpha. Aligned, so that a GPU reads all four at
/// once.
struct alignas(4) Rgba8 {
  u8 r, g, b, a;
};
static_assert(sizeof(Rgba8) == 4);

}  // namespace ballotcast::detail
