// Materials: how surfaces emit, reflect and transmit light. Textures, in the form that kernels use.
#pragma once

#include "image/rgba8.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// How a texture continues beyond its edges, along one axis.
enum class Wrap : u32 {
  repeat,  // the texture is repeated
  mirror,  // the texture is repeated, every second time mirrored
  clamp,   // the texels at the edge are repeated
};

/// A texture in the memory of the machine that samples it. Row 0 is the top of the picture.
struct TextureView {
  const Rgba8* texels;
  u32 width;
  u32 height;
  Wrap across, down;
};

/// The texture index of a material without a texture.
inline constexpr u32 kNoTexture = 0xffffffffu;

/// Where its opacity is below this value, a surface has a hole: rays pass through.
inline constexpr float kCutoutThreshold = 0.5f;

/// The largest emission. Larger values in files are reduced to it, so that sums of radiance are
/// finite.
inline constexpr double kBrightest = 0x1p20;

/// How a material transmits light.
enum class Transmission : u32 {
  none,   // opaque
  thin,   // a pane: light that is not reflected keeps its direction
  solid,  // the surface of a solid body of glass: light is refracted
};

/// A material, with the same type on host and device. Each texture is multiplied by the number or
/// colour above it. Colours in textures are sRGB, numbers in textures are linear.
struct Material {
  vec3 color{0.8f};  // linear base colour; the OBJ loader sets it to 1 if there is a texture
  u32 color_texture = kNoTexture;
  vec3 emission{0.0f};  // linear radiance
  u32 emission_texture = kNoTexture;
  float opacity = 1.0f;              // below kCutoutThreshold the surface has a hole
  u32 opacity_texture = kNoTexture;  // the alpha channel is used
  // Reflectance at normal incidence of the coat over a non-metal, linear. Black: there is no coat.
  vec3 specular{0.0f};
  u32 specular_texture = kNoTexture;
  float roughness = 1.0f;  // roughness of the coat and of metal, in [0, 1]; 0 is a mirror
  u32 roughness_texture = kNoTexture;  // the green channel is used
  // 1: all light is reflected as by a metal of the base colour; 0: non-metal
  float metallic = 0.0f;
  u32 metallic_texture = kNoTexture;  // the blue channel is used
  float bumpiness = 1.0f;             // factor on the x and y of the normals in the texture
  u32 normal_texture = kNoTexture;    // normals in tangent space; y points up in the picture
  Transmission transmission = Transmission::none;
  vec3 transmitted{1.0f};   // linear colour of transmitted light
  float refraction = 1.5f;  // index of refraction

  BC_HD bool may_cut_out() const {
    return opacity_texture != kNoTexture || opacity < kCutoutThreshold;
  }
  /// True if the material is visible and emits light.
  BC_HD bool emits() const {
    return opacity >= kCutoutThreshold &&
           (emission.x > 0.0f || emission.y > 0.0f || emission.z > 0.0f);
  }
};

/// The members of a material that are textures.
using TextureMember = u32 Material::*;
inline constexpr TextureMember kTexturesOfMaterial[] = {
    &Material::color_texture,    &Material::emission_texture,  &Material::opacity_texture,
    &Material::specular_texture, &Material::roughness_texture, &Material::metallic_texture,
    &Material::normal_texture};

BC_HD inline bool has_texture(const Material& m) {
  for (const TextureMember texture : kTexturesOfMaterial)
    if (m.*texture != kNoTexture) return true;
  return false;
}

}  // namespace ballotcast::detail
