// Textures in the form that kernels use.
#pragma once

#include "image/rgba8.hpp"

namespace ballotcast::detail {

/// What is beyond the edges of a texture, along one axis.
enum class Wrap : u32 {
  repeat,  // the texture again
  mirror,  // the texture again, every second time mirrored
  clamp,   // the texels at the edge
};

/// A texture on the machine that samples it. Row 0 is the top of the picture.
struct TextureView {
  const Rgba8* texels;
  u32 width;
  u32 height;
  Wrap across, down;
};

}  // namespace ballotcast::detail
