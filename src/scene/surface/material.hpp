// Materials: how surfaces emit, reflect and pass light. Textures, in the form that kernels use.
#pragma once

#include "image/rgba8.hpp"
#include "math/vec.hpp"

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

/// The texture index of a material without a texture.
inline constexpr u32 kNoTexture = 0xffffffffu;

/// A surface is cut out where its opacity is below this value: rays pass through it.
inline constexpr float kCutoutThreshold = 0.5f;

/// The largest emission that is used; larger values in files are reduced to it. It keeps sums of
/// radiance finite.
inline constexpr double kBrightest = 0x1p20;

/// How light passes through a material.
enum class Transmission : u32 {
  none,   // opaque
  thin,   // a pane: light that is not reflected goes straight on
  solid,  // the surface of a body of glass: light is refracted
};

/// A material; the same type on host and device. Each texture is multiplied by the number or colour
/// above it. Colours in textures are sRGB, numbers in them are linear.
struct Material {
  vec3 color{0.8f};  // base colour, linear; the OBJ loader sets it to 1 if there is a texture
  u32 color_texture = kNoTexture;
  vec3 emission{0.0f};  // linear radiance
  u32 emission_texture = kNoTexture;
  float opacity = 1.0f;              // cut out below kCutoutThreshold
  u32 opacity_texture = kNoTexture;  // alpha channel
  // Share of light that is reflected at normal incidence by the coat over a surface that is no
  // metal, linear. Black: there is no coat.
  vec3 specular{0.0f};
  u32 specular_texture = kNoTexture;
  float roughness = 1.0f;              // of the coat and of metal, in [0, 1]; 0 is a mirror
  u32 roughness_texture = kNoTexture;  // green channel
  float metallic = 0.0f;               // 1: all light is reflected as by a metal of the base colour
  u32 metallic_texture = kNoTexture;   // blue channel
  float bumpiness = 1.0f;              // factor on the x and y of the normals in the texture
  u32 normal_texture = kNoTexture;     // normals in tangent space; y points up in the picture
  Transmission transmission = Transmission::none;
  vec3 transmitted{1.0f};   // colour of the light that passes, linear
  float refraction = 1.5f;  // index of refraction

  BC_HD bool may_cut_out() const {
    return opacity_texture != kNoTexture || opacity < kCutoutThreshold;
  }
  /// True if it can be seen and emits light.
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
