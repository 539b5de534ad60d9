// Surfaces: what colour they are, what they emit, where they are cut out.
#pragma once

#include <string>

#include "image/image.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The texture of a material that has none.
inline constexpr u32 kNoTexture = 0xffffffffu;

/// Where the opacity of a surface falls below this it is cut out: rays pass as if it were absent.
inline constexpr float kCutoutThreshold = 0.5f;

/// A diffuse material, the same on host and device.
struct Material {
  vec3 color{0.8f};                  // Kd, linear
  u32 color_texture = kNoTexture;    // map_Kd, sRGB; multiplies color, which OBJ files then
                                     // leave at 1
  vec3 emission{0.0f};               // Ke, linear radiance
  u32 opacity_texture = kNoTexture;  // map_d, in the alpha channel; multiplies opacity
  float opacity = 1.0f;              // d

  BC_HD bool may_cut_out() const {
    return opacity_texture != kNoTexture || opacity < kCutoutThreshold;
  }
  BC_HD bool emits() const { return emission.x > 0.0f || emission.y > 0.0f || emission.z > 0.0f; }
};

/// A texture on the machine that samples it: row 0 is the top of the picture.
struct TextureView {
  const Rgba8* texels;
  u32 width;
  u32 height;
};

}  // namespace ballotcast::detail
