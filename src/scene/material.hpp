// Materials: the colour, emission and opacity of surfaces.
#pragma once

#include <string>

#include "image/image.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The texture index of a material without a texture.
inline constexpr u32 kNoTexture = 0xffffffffu;

/// A surface is cut out where its opacity is below this value: rays pass through it.
inline constexpr float kCutoutThreshold = 0.5f;

/// A diffuse material; the same type on host and device.
struct Material {
  vec3 color{0.8f};  // Kd, linear
  // map_Kd, sRGB. It is multiplied by `color`, which the OBJ loader then sets to 1.
  u32 color_texture = kNoTexture;
  vec3 emission{0.0f};  // Ke, linear radiance
  // map_d, in the alpha channel. It is multiplied by `opacity`.
  u32 opacity_texture = kNoTexture;
  float opacity = 1.0f;  // d

  BC_HD bool may_cut_out() const {
    return opacity_texture != kNoTexture || opacity < kCutoutThreshold;
  }
  BC_HD bool emits() const { return emission.x > 0.0f || emission.y > 0.0f || emission.z > 0.0f; }
};

/// A texture on the machine that samples it. Row 0 is the top of the picture.
struct TextureView {
  const Rgba8* texels;
  u32 width;
  u32 height;
};

}  // namespace ballotcast::detail
