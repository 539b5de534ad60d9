// The surface at a hit: its material with all textures applied.
#pragma once

#include "kernels/shadings/paths/glass.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// The shading normal of `s`, changed by the material's normal map. The tangents follow the texture
/// coordinates of the triangle.
BC_HD inline vec3 mapped_normal(const SceneView& scene, const Hit& hit, TrianglePlace place,
                                const Surface& s) {
  const Material& material = material_of(scene, place);
  if (material.normal_texture == kNoTexture || !scene.mesh.corner_texcoords) return s.normal;
  // The place may be on a shape: its texture coordinates are all 0, so no tangent has a length.
  const Corners corners = triangle_at(scene, place);
  const vec3 ab = corners.b - corners.a, ac = corners.c - corners.a;
  const vec2* t = scene.mesh.corner_texcoords + 3u * static_cast<u64>(place.triangle);
  const vec2 tb = t[1] - t[0], tc = t[2] - t[0];
  const float turn = tb.x * tc.y - tb.y * tc.x < 0.0f ? -1.0f : 1.0f;
  const vec3 along_u = unit_or((ab * tc.y - ac * tb.y) * turn, vec3(0.0f));
  const vec3 along_v = unit_or((ac * tb.x - ab * tc.x) * turn, vec3(0.0f));
  const vec3 outward = s.front ? s.normal : -s.normal;
  const vec3 tangent = unit_or(along_u - outward * dot(outward, along_u), vec3(0.0f));
  const vec3 across = cross(outward, tangent);
  const vec3 bitangent = dot(across, along_v) < 0.0f ? -across : across;
  const vec3 map =
      texture_numbers(scene, material.normal_texture, texcoord_at(scene, place, hit.u, hit.v));
  const vec3 mapped = unit_or(tangent * ((2.0f * map.x - 1.0f) * material.bumpiness) +
                                  bitangent * ((2.0f * map.y - 1.0f) * material.bumpiness) +
                                  outward * max_of(2.0f * map.z - 1.0f, 0.0f),
                              outward);
  return s.front ? mapped : -mapped;
}

/// `normal`, turned towards `to_eye` until the eye sees its front. Interpolated normals, and
/// normals from normal maps, may face away from the eye.
BC_HD inline vec3 facing_normal(vec3 normal, vec3 to_eye) {
  constexpr float kLeast = 0.01f;  // least cosine of the result's angle to `to_eye`
  const float cosine = dot(normal, to_eye);
  return cosine >= kLeast ? normal : unit_or(normal + to_eye * (kLeast - cosine), to_eye);
}

/// The reflecting surface of an opaque material at a hit. `to_eye` has length 1.
BC_HD inline Reflector reflector_at(const SceneView& scene, const Hit& hit, TrianglePlace place,
                                    const Surface& s, vec3 to_eye) {
  const Material& m = material_of(scene, place);
  const vec2 uv = texcoord_at(scene, place, hit.u, hit.v);
  const vec3 color = color_at(scene, place, hit.u, hit.v);
  const float metallic = m.metallic * (m.metallic > 0.0f && m.metallic_texture != kNoTexture
                                           ? texture_numbers(scene, m.metallic_texture, uv).z
                                           : 1.0f);
  const vec3 coat = largest_magnitude(m.specular) > 0.0f
                        ? m.specular * texture_color(scene, m.specular_texture, uv)
                        : vec3(0.0f);
  Reflector r{mapped_normal(scene, hit, place, s), color, vec3(0.0f), 1.0f, false};
  if (!(metallic > 0.0f || largest_magnitude(coat) > 0.0f)) return r;
  r.glossy = true;
  r.normal = reflecting_normal(facing_normal(r.normal, to_eye), s.geometric_normal, to_eye);
  r.diffuse = color * (vec3(1.0f) - coat) * (1.0f - metallic);
  r.specular = coat * (1.0f - metallic) + color * metallic;
  const float roughness = m.roughness * texture_numbers(scene, m.roughness_texture, uv).y;
  r.width = roughness * roughness;
  return r;
}

/// The glass surface at a hit of a material that transmits light.
BC_HD inline Glass glass_at(const SceneView& scene, const Hit& hit, TrianglePlace place,
                            const Surface& s, vec3 to_eye) {
  const Material& m = material_of(scene, place);
  const vec3 facing = facing_normal(mapped_normal(scene, hit, place, s), to_eye);
  return {reflecting_normal(facing, s.geometric_normal, to_eye), m.transmitted,
          s.front || m.transmission == Transmission::thin ? m.refraction : 1.0f / m.refraction,
          m.transmission == Transmission::thin};
}

}  // namespace ballotcast::detail
