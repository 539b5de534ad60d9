// A scene in the form that kernels use: pointers, and the functions that shading calls.
#pragma once

#include "geometry/mesh_view.hpp"
#include "geometry/shape.hpp"
#include "math/sampling.hpp"
#include "scene/instances/scene_instance.hpp"
#include "scene/light/sky_view.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// The triangles that emit light, for sampling in proportion to their power, which is area times
/// luminance.
struct EmitterView {
  const u32* triangles;  // ids, in ascending order
  // cumulative[i]: fraction of the power in triangles[0..i]; the last is 1
  const float* cumulative;
  u32 count;
};

/// The instances of a scene. If there are no instances, the id of a hit is the index of a triangle
/// in the mesh.
struct InstancesView {
  const SceneInstance* list;  // first_id ascends
  u32 count;
};

/// All data of a scene that kernels use, except its tree.
struct SceneView {
  MeshView mesh;
  InstancesView instances;
  const Shape* shapes;  // a shape for each mesh that has instances; null if no mesh is a shape
  CopiesView copies;
  const Material* materials;
  const TextureView* textures;
  const float* srgb_to_linear;   // 256 entries
  const float* srgb_thresholds;  // 256 entries
  SunView sun;
  SkyView sky;
  EmitterView emitters;
  float magnitude;  // largest absolute coordinate, or more; see `box_slack`
  float diagonal;   // diagonal of the scene's bounding box
  float offset;     // distance from a surface at which secondary rays start
  u32 has_cutouts;  // 1 if any surface may have holes
};

/// Returns the scene without its sun, or without its sky, or without both.
BC_HD inline SceneView without_daylight(SceneView scene, bool no_sun, bool no_sky) {
  if (no_sun) scene.sun.irradiance = vec3(0.0f);
  if (no_sky) scene.sky.zenith = scene.sky.horizon = scene.sky.ground = vec3(0.0f);
  return scene;
}

/// The triangle and the instance of a hit's id.
struct TrianglePlace {
  u32 triangle;  // index in the scene's mesh
  u32 instance;  // index; 0 in a scene without instances
};

BC_HD inline TrianglePlace place_of(const SceneView& scene, u32 id) {
  if (scene.instances.count == 0u) return {id, 0u};
  // Binary search for the last instance whose first id is not above the id.
  u32 low = 0u, high = scene.instances.count - 1u;
  while (low < high) {
    const u32 middle = high - (high - low) / 2u;
    if (scene.instances.list[middle].first_id <= id)
      low = middle;
    else
      high = middle - 1u;
  }
  const SceneInstance& instance = scene.instances.list[low];
  return {instance.first_triangle + (id - instance.first_id), low};
}

/// The shape that takes the place of a mesh; null if the mesh consists of triangles.
BC_HD inline const Shape* shape_of(const SceneView& scene, u32 mesh) {
  return scene.shapes && scene.shapes[mesh].kind != ShapeKind::none ? scene.shapes + mesh : nullptr;
}

/// The shape at this place; null if it is a triangle.
BC_HD inline const Shape* shape_at(const SceneView& scene, TrianglePlace place) {
  return scene.shapes ? shape_of(scene, scene.instances.list[place.instance].mesh) : nullptr;
}

/// The corners of a triangle, in the space of the scene. Of a shape, they say nothing about the
/// point that was hit: they are corners of its box. See corners_of.
BC_HD inline Corners triangle_at(const SceneView& scene, TrianglePlace place) {
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  const vec3* const positions = scene.mesh.positions;
  const Corners own{positions[corners.x], positions[corners.y], positions[corners.z]};
  if (scene.instances.count == 0u) return own;
  const Transform& to_scene = scene.instances.list[place.instance].to_scene;
  return {transformed_point(to_scene, own.a), transformed_point(to_scene, own.b),
          transformed_point(to_scene, own.c)};
}

/// As triangle_at. Of a shape, they are the corners of a triangle that touches it where a hit has
/// the coordinates u and v.
BC_HD inline Corners corners_of(const SceneView& scene, TrianglePlace place, float u, float v) {
  const Shape* const shape = shape_at(scene, place);
  return shape ? touching_triangle(*shape, scene.instances.list[place.instance].to_scene, u, v)
               : triangle_at(scene, place);
}

/// The texel at (x, y), which must be inside the texture.
BC_HD inline Rgba8 texel_at(const TextureView& texture, u32 x, u32 y) {
  return texture.texels[y * texture.width + x];
}

/// The two texels on both sides of a texture coordinate, along one axis, and the weight of the
/// second one.
struct TexelSpan {
  u32 first, second;
  float weight;
};

BC_HD inline TexelSpan clamped_span(float coordinate, u32 size, Wrap wrap) {
  float inside = coordinate;
  if (wrap == Wrap::mirror) {
    // From 0 to 2: once forwards, once backwards
    inside = coordinate - times(2.0f, floorf(0.5f * coordinate));
    if (inside > 1.0f) inside = 2.0f - inside;
  }
  const float place = times(clamp_to(inside, 0.0f, 1.0f), static_cast<float>(size)) - 0.5f;
  const float below = floorf(place);
  const i32 index = static_cast<i32>(below), last = static_cast<i32>(size) - 1;
  return {static_cast<u32>(index < 0 ? 0 : index),
          static_cast<u32>(index < last ? index + 1 : last), place - below};
}

BC_HD inline TexelSpan texel_span(float coordinate, u32 size, Wrap wrap) {
  if (wrap != Wrap::repeat) return clamped_span(coordinate, size, wrap);
  const float wrapped = clamp_to(coordinate - floorf(coordinate), 0.0f, 1.0f);  // NaN becomes 0
  const float place = times(wrapped, static_cast<float>(size)) - 0.5f;
  const float below = floorf(place);
  const i32 index = static_cast<i32>(below);
  const i32 n = static_cast<i32>(size);
  const u32 first = static_cast<u32>(index < 0 ? index + n : (index >= n ? index - n : index));
  return {first, first + 1u == size ? 0u : first + 1u, place - below};
}

/// The bilinear interpolation of value_of(texel) at texture coordinate (u, v); v points up.
template <class Value, class ValueOf>
BC_HD inline Value sample_texture(const TextureView& texture, vec2 uv, ValueOf value_of) {
  const TexelSpan x = texel_span(uv.x, texture.width, texture.across);
  const TexelSpan y = texel_span(1.0f - uv.y, texture.height, texture.down);
  const auto mixed = [](const Value& first, const Value& second, float weight) {
    return times(first, 1.0f - weight) + times(second, weight);
  };
  return mixed(mixed(value_of(texel_at(texture, x.first, y.first)),
                     value_of(texel_at(texture, x.second, y.first)), x.weight),
               mixed(value_of(texel_at(texture, x.first, y.second)),
                     value_of(texel_at(texture, x.second, y.second)), x.weight),
               y.weight);
}

BC_HD inline const Material& material_of(const SceneView& scene, TrianglePlace place) {
  if (scene.instances.count != 0u) {
    const u32 material = scene.instances.list[place.instance].material;
    if (material != kOwnMaterials) return scene.materials[material];
  }
  return scene.materials[scene.mesh.material_of ? scene.mesh.material_of[place.triangle] : 0u];
}

/// The texture coordinate at barycentric (u, v) of a triangle; (0, 0) if the mesh has none, and of
/// shapes. Shading asks this often: it must not look for shapes here.
BC_HD inline vec2 texcoord_at(const SceneView& scene, TrianglePlace place, float u, float v) {
  if (!scene.mesh.corner_texcoords) return vec2(0.0f);
  const vec2* corner = scene.mesh.corner_texcoords + 3u * static_cast<u64>(place.triangle);
  return corner[0] * (1.0f - u - v) + corner[1] * u + corner[2] * v;
}

/// The colour of the vertices at barycentric (u, v) of a triangle; white if the mesh has none.
BC_HD inline vec3 vertex_color_at(const SceneView& scene, TrianglePlace place, float u, float v) {
  if (!scene.mesh.vertex_colors) return vec3(1.0f);
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  return scene.mesh.vertex_colors[corners.x] * (1.0f - u - v) +
         scene.mesh.vertex_colors[corners.y] * u + scene.mesh.vertex_colors[corners.z] * v;
}

/// The factor on the opacity at barycentric (u, v) of a triangle; 1 if the mesh has none.
BC_HD inline float vertex_opacity_at(const SceneView& scene, TrianglePlace place, float u,
                                     float v) {
  if (!scene.mesh.vertex_opacity) return 1.0f;
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  return times(scene.mesh.vertex_opacity[corners.x], 1.0f - u - v) +
         times(scene.mesh.vertex_opacity[corners.y], u) +
         times(scene.mesh.vertex_opacity[corners.z], v);
}

/// The three components of a texture at a point, as colours (converted from sRGB to linear) or as
/// numbers. 1 if there is no texture.
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
BC_HD inline vec3 color_at(const SceneView& scene, TrianglePlace place, float u, float v) {
  const Material& material = material_of(scene, place);
  return material.color * vertex_color_at(scene, place, u, v) *
         texture_color(scene, material.color_texture, texcoord_at(scene, place, u, v));
}

/// The light that a triangle emits at barycentric (u, v).
BC_HD inline vec3 emission_at(const SceneView& scene, TrianglePlace place, float u, float v) {
  const Material& material = material_of(scene, place);
  return material.emission *
         texture_color(scene, material.emission_texture, texcoord_at(scene, place, u, v));
}

/// The opacity at barycentric (u, v) of a triangle, including its texture and its vertices.
BC_HD inline float opacity_at(const SceneView& scene, TrianglePlace place, float u, float v) {
  const Material& material = material_of(scene, place);
  const float opacity = material.opacity * vertex_opacity_at(scene, place, u, v);
  if (material.opacity_texture == kNoTexture) return opacity;
  return opacity * sample_texture<float>(
                       scene.textures[material.opacity_texture], texcoord_at(scene, place, u, v),
                       [](Rgba8 c) { return static_cast<float>(c.a) * (1.0f / 255.0f); });
}

/// True if the surface has a hole at barycentric (u, v) of a triangle, so that rays pass through;
/// see is_hole.
BC_HD inline bool is_cut_out(const SceneView& scene, TrianglePlace place, float u, float v) {
  if (!material_of(scene, place).may_cut_out() && !scene.mesh.vertex_opacity) return false;
  return opacity_at(scene, place, u, v) < kCutoutThreshold;
}

/// True if the surface has a hole at `hit`. Takes no time in scenes without holes.
BC_HD inline bool is_hole(const SceneView& scene, TrianglePlace place, const Hit& hit) {
  return scene.has_cutouts && is_cut_out(scene, place, hit.u, hit.v);
}

/// A point on a surface, with its normals and side.
struct Surface {
  vec3 position;
  vec3 geometric_normal;  // unit vector on the side of the ray's origin
  vec3 normal;            // unit vector on the same side; interpolated if the mesh has normals
  bool front;             // true if seen from the side on which the corners run counter-clockwise
};

/// The position of a hit.
BC_HD inline vec3 point_of(const Corners& p, const Hit& hit) {
  return p.a * (1.0f - hit.u - hit.v) + p.b * hit.u + p.c * hit.v;
}

/// The normals of a surface. `Vector` is vec3, or VectorLanes for eight surfaces at once.
template <class Vector>
struct NormalsOf {
  Vector geometric, interpolated;                           // as in Surface
  decltype(dot(Vector(0.0f), Vector(0.0f)) >= 0.0f) front;  // as in Surface

  /// `direction` is that of the ray. `ab` and `ac` are two sides of the triangle. `mean` points to
  /// the mean of the corners' normals, of any length, or is null. `mirrored` is true if the
  /// instance mirrors its mesh.
  BC_HD NormalsOf(const Vector& direction, const Vector& ab, const Vector& ac, const Vector* mean,
                  bool mirrored) {
    const Vector backward = -unit_or(direction, Vector(vec3(0.0f, 0.0f, 1.0f)));
    const Vector none(0.0f);
    Vector outward = unit_or(cross(unit_or(ab, none), unit_or(ac, none)), backward);
    if (mirrored) outward = -outward;
    front = dot(outward, backward) >= 0.0f;
    interpolated = geometric = select(front, outward, -outward);
    if (!mean) return;
    const Vector unit = unit_or(*mean, outward);
    interpolated = select(dot(unit, geometric) >= 0.0f, unit, -unit);
  }
};

/// The interpolated normal at a hit, not normalized. The mesh must have normals.
BC_HD inline vec3 mean_normal(const SceneView& scene, const Hit& hit, u32 triangle) {
  const vec3* n = scene.mesh.corner_normals + 3u * static_cast<u64>(triangle);
  return n[0] * (1.0f - hit.u - hit.v) + n[1] * hit.u + n[2] * hit.v;
}

/// The surface point that `ray` has hit. `hit` must not be a miss; `place` is the triangle and the
/// instance of the hit.
BC_HD inline Surface surface_at(const SceneView& scene, const Ray& ray, const Hit& hit,
                                TrianglePlace place) {
  const Corners p = corners_of(scene, place, hit.u, hit.v);
  const SceneInstance* const instance =
      scene.instances.count == 0u ? nullptr : scene.instances.list + place.instance;
  vec3 mean;
  const bool has_normals = scene.mesh.corner_normals && !shape_at(scene, place);
  if (has_normals) {
    mean = mean_normal(scene, hit, place.triangle);
    if (instance) mean = transformed_normal(instance->to_scene, mean);
  }
  const NormalsOf<vec3> normals(ray.direction, p.b - p.a, p.c - p.a, has_normals ? &mean : nullptr,
                                instance && mirrors(instance->to_scene));
  return {point_of(p, hit), normals.geometric, normals.interpolated, normals.front};
}

BC_HD inline Surface surface_at(const SceneView& scene, const Ray& ray, const Hit& hit) {
  return surface_at(scene, ray, hit, place_of(scene, hit.triangle));
}

}  // namespace ballotcast::detail
