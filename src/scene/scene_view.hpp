// A scene in the form that kernels use: pointers, and the functions that shading calls.
#pragma once

#include "geometry/mesh.hpp"
#include "scene/material.hpp"
#include "scene/sky_view.hpp"

namespace ballotcast::detail {

/// The triangles that emit light, for sampling in proportion to their power: area times luminance.
struct EmitterView {
  const u32* triangles;     // ids, in ascending order
  const float* cumulative;  // cumulative[i]: share of the power in triangles[0..i]; the last is 1
  u32 count;
};

/// Everything about a scene that kernels use, except its tree.
struct SceneView {
  MeshView mesh;
  CopiesView copies;
  const Material* materials;
  const TextureView* textures;
  const float* srgb_to_linear;   // 256 entries
  const float* srgb_thresholds;  // 256 entries
  SunView sun;
  SkyView sky;
  EmitterView emitters;
  float magnitude;  // at least every |coordinate|; see `box_slack`
  float diagonal;   // diagonal of the scene's bounding box
  float offset;     // distance from a surface at which new rays start
  u32 has_cutouts;  // 1 if some material may be cut out
};

/// The texel at (x, y), which must lie in the texture.
BC_HD inline Rgba8 texel_at(const TextureView& texture, u32 x, u32 y) {
  return texture.texels[y * texture.width + x];
}

/// The two texels on both sides of a texture coordinate, along one axis, and the weight of the
/// second one. The texture repeats.
struct TexelSpan {
  u32 first, second;
  float weight;
};

BC_HD inline TexelSpan texel_span(float coordinate, u32 size) {
  const float wrapped = clamp_to(coordinate - floorf(coordinate), 0.0f, 1.0f);  // NaN becomes 0
  const float place = wrapped * static_cast<float>(size) - 0.5f;
  const float below = floorf(place);
  const i32 index = static_cast<i32>(below);
  const i32 n = static_cast<i32>(size);
  const u32 first = static_cast<u32>(index < 0 ? index + n : (index >= n ? index - n : index));
  return {first, first + 1u == size ? 0u : first + 1u, place - below};
}

/// The bilinear interpolation of value_of(texel) at texture coordinate (u, v). The texture repeats;
/// v points up.
template <class Value, class ValueOf>
BC_HD inline Value sample_texture(const TextureView& texture, vec2 uv, ValueOf value_of) {
  const TexelSpan x = texel_span(uv.x, texture.width);
  const TexelSpan y = texel_span(1.0f - uv.y, texture.height);
  const Value top = value_of(texel_at(texture, x.first, y.first)) * (1.0f - x.weight) +
                    value_of(texel_at(texture, x.second, y.first)) * x.weight;
  const Value bottom = value_of(texel_at(texture, x.first, y.second)) * (1.0f - x.weight) +
                       value_of(texel_at(texture, x.second, y.second)) * x.weight;
  return top * (1.0f - y.weight) + bottom * y.weight;
}

BC_HD inline const Material& material_of(const SceneView& scene, u32 triangle) {
  return scene.materials[scene.mesh.material_of ? scene.mesh.material_of[triangle] : 0u];
}

/// The texture coordinate at barycentric (u, v) of a triangle; (0, 0) if the mesh has none.
BC_HD inline vec2 texcoord_at(const SceneView& scene, u32 triangle, float u, float v) {
  if (!scene.mesh.corner_texcoords) return vec2(0.0f);
  const vec2* corner = scene.mesh.corner_texcoords + 3u * static_cast<u64>(triangle);
  return corner[0] * (1.0f - u - v) + corner[1] * u + corner[2] * v;
}

/// The colour of the vertices at barycentric (u, v) of a triangle; white if the mesh has none.
BC_HD inline vec3 vertex_color_at(const SceneView& scene, u32 triangle, float u, float v) {
  if (!scene.mesh.vertex_colors) return vec3(1.0f);
  const uvec3 corners = scene.mesh.triangles[triangle];
  return scene.mesh.vertex_colors[corners.x] * (1.0f - u - v) +
         scene.mesh.vertex_colors[corners.y] * u + scene.mesh.vertex_colors[corners.z] * v;
}

/// The three components of a texture at a point, as colours (from sRGB to linear) or as numbers. 1
/// if there is no texture.
BC_HD inline vec3 texture_color(const SceneView& scene, u32 texture, vec2 uv) {
  if (texture == kNoTexture) return vec3(1.0f);
  const float* linear = scene.srgb_to_linear;
  return sample_texture<vec3>(scene.textures[texture], uv, [linear](Rgba8 c) {
    return vec3(linear[c.r], linear[c.g], linear[c.b]);
  });
}
BC_HD inline vec3 texture_numbers(const SceneView& scene, u32 texture, vec2 uv) {
  if (texture == kNoTexture) return vec3(1.0f);
  return sample_texture<vec3>(scene.textures[texture], uv, [](Rgba8 c) {
    return vec3(static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b)) *
           (1.0f / 255.0f);
  });
}

/// The linear colour of a triangle at barycentric (u, v).
BC_HD inline vec3 color_at(const SceneView& scene, u32 triangle, float u, float v) {
  const Material& material = material_of(scene, triangle);
  return material.color * vertex_color_at(scene, triangle, u, v) *
         texture_color(scene, material.color_texture, texcoord_at(scene, triangle, u, v));
}

/// True if the surface is cut out at the hit, so that the ray passes through.
BC_HD inline bool is_cut_out(const SceneView& scene, const Hit& hit) {
  const Material& material = material_of(scene, hit.triangle);
  if (!material.may_cut_out()) return false;
  float opacity = material.opacity;
  if (material.opacity_texture != kNoTexture)
    opacity *= sample_texture<float>(
        scene.textures[material.opacity_texture], texcoord_at(scene, hit.triangle, hit.u, hit.v),
        [](Rgba8 c) { return static_cast<float>(c.a) * (1.0f / 255.0f); });
  return opacity < kCutoutThreshold;
}

/// A point on a surface, with what shading needs to know.
struct Surface {
  vec3 position;
  vec3 geometric_normal;  // unit length, on the side of the ray's origin
  vec3 normal;            // unit length, on the same side; interpolated if the mesh has normals
  bool front;             // true: seen from the side on which the corners run counter-clockwise
};

/// The surface point that `ray` hit. `hit` must not be a miss.
BC_HD inline Surface surface_at(const SceneView& scene, const Ray& ray, const Hit& hit) {
  const uvec3 corners = scene.mesh.triangles[hit.triangle];
  const vec3 a = scene.mesh.positions[corners.x], b = scene.mesh.positions[corners.y],
             c = scene.mesh.positions[corners.z];
  Surface s;
  s.position = a * (1.0f - hit.u - hit.v) + b * hit.u + c * hit.v;
  const vec3 backward = -unit_or(ray.direction, vec3(0.0f, 0.0f, 1.0f));
  const vec3 outward =
      unit_or(cross(unit_or(b - a, vec3(0.0f)), unit_or(c - a, vec3(0.0f))), backward);
  s.front = dot(outward, backward) >= 0.0f;
  s.geometric_normal = s.front ? outward : -outward;
  s.normal = s.geometric_normal;
  if (scene.mesh.corner_normals) {
    const vec3* n = scene.mesh.corner_normals + 3u * static_cast<u64>(hit.triangle);
    const vec3 mean = unit_or(n[0] * (1.0f - hit.u - hit.v) + n[1] * hit.u + n[2] * hit.v, outward);
    s.normal = dot(mean, s.geometric_normal) >= 0.0f ? mean : -mean;
  }
  return s;
}

}  // namespace ballotcast::detail
