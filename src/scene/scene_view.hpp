// A scene in the form that kernels use: pointers, and the functions that shading calls.
#pragma once

#include "geometry/mesh.hpp"
#include "math/sampling.hpp"
#include "scene/material.hpp"
#include "scene/scene_instance.hpp"

namespace ballotcast::detail {

/// The sun, with its strength multiplied in.
struct SunView {
  vec3 direction;   // towards it, of length 1
  vec3 irradiance;  // on a surface that faces it; black if there is no sun
  BC_HD bool shines() const {
    return irradiance.x > 0.0f || irradiance.y > 0.0f || irradiance.z > 0.0f;
  }
};

/// A picture of the whole sky: an equirectangular projection. Its middle lies ahead, its right half
/// to the right, its top row above.
///
///     behind    left     ahead     right    behind
///        +---------+---------+---------+---------+  above       height  1
///        |  row 0                                |
///        |         ...                           |              height  0
///        |  row height - 1                       |
///        +---------------------------------------+  below       height -1
///
/// Pixels are chosen in proportion to their light: first the row, then the column.
struct SkyMapView {
  const vec3* pixels;    // radiance, without `strength`; null: there is no picture
  const float* rows;     // rows[y]: share of the light in rows 0..y; the last is 1
  const float* columns;  // columns[y * width + x]: share of the row's light in columns 0..x
  const float* heights;  // heights[y]: height of the top of row y on the unit sphere
  u32 width;
  u32 height;
  float strength;         // factor on the radiance
  vec3 right, up, ahead;  // in the scene; unit vectors at right angles
};

/// The sky: a picture, or a gradient with the strength multiplied in. `up` has length 1.
struct SkyView {
  vec3 up;
  vec3 zenith;  // zenith, horizon and ground: radiance
  vec3 horizon;
  vec3 ground;
  SkyMapView map;
  BC_HD bool has_map() const { return map.pixels != nullptr; }
};

/// A point of the picture, in pixels from its top left corner.
struct SkyPlace {
  float x, y;
};

BC_HD inline SkyPlace sky_place(const SkyMapView& map, vec3 direction) {
  const double x = dot(direction, map.right), y = dot(direction, map.up),
               z = dot(direction, map.ahead);
  const double around = turns_of(z, x) + 0.5;
  const double down = 0.25 - turns_of(sqrt(x * x + z * z), y);
  return {static_cast<float>(around * map.width), static_cast<float>(down * 2.0 * map.height)};
}

/// The pixel of a coordinate, within [0, size).
BC_HD inline u32 sky_pixel(float coordinate, u32 size) {
  return static_cast<u32>(clamp_to(coordinate, 0.0f, static_cast<float>(size) - 0.5f));
}

/// The radiance of the picture, interpolated between the middles of its pixels.
BC_HD inline vec3 sky_map_radiance(const SkyMapView& map, vec3 direction) {
  const SkyPlace place = sky_place(map, direction);
  const float x = place.x - 0.5f, y = clamp_to(place.y - 0.5f, 0.0f, map.height - 1.0f);
  const float left = floorf(x), top = floorf(y);
  const float across = x - left, down = y - top;
  const u32 x0 = left < 0.0f ? map.width - 1u : sky_pixel(left, map.width);
  const u32 x1 = x0 + 1u == map.width ? 0u : x0 + 1u;
  const u32 y0 = sky_pixel(top, map.height), y1 = y0 + 1u == map.height ? y0 : y0 + 1u;
  const auto at = [&map](u32 column, u32 row) {
    return map.pixels[static_cast<u64>(row) * map.width + column];
  };
  const vec3 above = at(x0, y0) * (1.0f - across) + at(x1, y0) * across;
  const vec3 below = at(x0, y1) * (1.0f - across) + at(x1, y1) * across;
  return (above * (1.0f - down) + below * down) * map.strength;
}

/// The density, per solid angle, with which chosen_sky_direction chooses a direction in this pixel.
BC_HD inline float sky_density(const SkyMapView& map, u32 x, u32 y) {
  const float* columns = map.columns + static_cast<u64>(y) * map.width;
  const float share = (map.rows[y] - (y == 0u ? 0.0f : map.rows[y - 1u])) *
                      (columns[x] - (x == 0u ? 0.0f : columns[x - 1u]));
  const float solid_angle =
      6.28318531f * (map.heights[y] - map.heights[y + 1u]) / static_cast<float>(map.width);
  return solid_angle > 0.0f ? share / solid_angle : 0.0f;  // rows near a pole may have none
}
BC_HD inline float sky_density(const SkyMapView& map, vec3 direction) {
  const SkyPlace place = sky_place(map, direction);
  return sky_density(map, sky_pixel(place.x, map.width), sky_pixel(place.y, map.height));
}

/// One of several choices that follow each other on [0, 1], and a place in its interval.
struct Share {
  u32 index;
  float within;  // in [0, 1): 0 where the interval begins
};
/// The choice in whose interval `choice` lies. cumulative[i] is where that of choice i ends.
BC_HD inline Share share_at(const float* cumulative, u32 count, float choice) {
  u32 low = 0, high = count - 1u;
  while (low < high) {
    const u32 middle = (low + high) / 2u;
    if (choice < cumulative[middle])
      high = middle;
    else
      low = middle + 1u;
  }
  const float before = low == 0u ? 0.0f : cumulative[low - 1u];
  const float own = cumulative[low] - before;
  return {low, own > 0.0f ? clamp_to((choice - before) / own, 0.0f, 0x0.ffffffp0f) : 0.5f};
}

/// A direction towards the sky, chosen by light.
struct SkyChoice {
  vec3 direction;
  float density;  // per solid angle
};
BC_HD inline SkyChoice chosen_sky_direction(const SkyMapView& map, vec2 sample) {
  const Share row = share_at(map.rows, map.height, sample.x);
  const Share column =
      share_at(map.columns + static_cast<u64>(row.index) * map.width, map.width, sample.y);
  const float top = map.heights[row.index], bottom = map.heights[row.index + 1u];
  const float height = top + (bottom - top) * row.within;
  const float radius = sqrtf(max_of(0.0f, 1.0f - height * height));
  const double around =
      (static_cast<double>(column.index) + static_cast<double>(column.within)) / map.width - 0.5;
  const SinCos angle = sincos_turns(around);
  return {map.right * (radius * static_cast<float>(angle.sin)) + map.up * height +
              map.ahead * (radius * static_cast<float>(angle.cos)),
          sky_density(map, column.index, row.index)};
}

/// The radiance of the sky in a direction of length 1.
BC_HD inline vec3 sky_radiance(const SkyView& sky, vec3 direction) {
  if (sky.has_map()) return sky_map_radiance(sky.map, direction);
  const float height = dot(direction, sky.up);
  if (height >= 0.0f) {
    const float rest = 1.0f - min_of(height, 1.0f);
    const float low = rest * rest * rest;
    return sky.zenith * (1.0f - low) + sky.horizon * low;
  }
  const float depth = min_of(-height * 12.0f, 1.0f);  // a narrow band blends from horizon to ground
  return sky.horizon * (1.0f - depth) + sky.ground * depth;
}

/// The triangles that emit light, for sampling in proportion to their power: area times luminance.
struct EmitterView {
  const u32* triangles;     // ids, in ascending order
  const float* cumulative;  // cumulative[i]: share of the power in triangles[0..i]; the last is 1
  u32 count;
};

/// The instances of a scene. Without any, the ids of hits are those of the mesh's triangles.
struct InstancesView {
  const SceneInstance* list;  // first_id ascends
  u32 count;
};

/// Everything about a scene that kernels use, except its tree.
struct SceneView {
  MeshView mesh;
  InstancesView instances;
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
  u32 has_cutouts;  // 1 if something may be cut out
};

/// The scene without its sun, or without its sky.
inline SceneView without_daylight(SceneView scene, bool no_sun, bool no_sky) {
  if (no_sun) scene.sun.irradiance = vec3(0.0f);
  if (no_sky) scene.sky.zenith = scene.sky.horizon = scene.sky.ground = vec3(0.0f);
  return scene;
}

/// Where the id of a hit leads.
struct Place {
  u32 triangle;  // in the scene's mesh
  u32 instance;  // 0 in a scene without instances
};

BC_HD inline Place place_of(const SceneView& scene, u32 id) {
  if (scene.instances.count == 0u) return {id, 0u};
  // Binary search for the last instance that begins at or before the id.
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

/// The corners of a triangle, in the space of the scene.
struct Corners {
  vec3 a, b, c;
};

BC_HD inline Corners corners_of(const SceneView& scene, Place place) {
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  const vec3* const positions = scene.mesh.positions;
  const Corners own{positions[corners.x], positions[corners.y], positions[corners.z]};
  if (scene.instances.count == 0u) return own;
  const Transform& to_scene = scene.instances.list[place.instance].to_scene;
  return {transformed_point(to_scene, own.a), transformed_point(to_scene, own.b),
          transformed_point(to_scene, own.c)};
}

/// The texel at (x, y), which must lie in the texture.
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
    inside = coordinate - 2.0f * floorf(0.5f * coordinate);  // from 0 to 2: there and back
    if (inside > 1.0f) inside = 2.0f - inside;
  }
  const float place = clamp_to(inside, 0.0f, 1.0f) * static_cast<float>(size) - 0.5f;
  const float below = floorf(place);
  const i32 index = static_cast<i32>(below), last = static_cast<i32>(size) - 1;
  return {static_cast<u32>(index < 0 ? 0 : index),
          static_cast<u32>(index < last ? index + 1 : last), place - below};
}

BC_HD inline TexelSpan texel_span(float coordinate, u32 size, Wrap wrap) {
  if (wrap != Wrap::repeat) return clamped_span(coordinate, size, wrap);
  const float wrapped = clamp_to(coordinate - floorf(coordinate), 0.0f, 1.0f);  // NaN becomes 0
  const float place = wrapped * static_cast<float>(size) - 0.5f;
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
  const Value top = value_of(texel_at(texture, x.first, y.first)) * (1.0f - x.weight) +
                    value_of(texel_at(texture, x.second, y.first)) * x.weight;
  const Value bottom = value_of(texel_at(texture, x.first, y.second)) * (1.0f - x.weight) +
                       value_of(texel_at(texture, x.second, y.second)) * x.weight;
  return top * (1.0f - y.weight) + bottom * y.weight;
}

BC_HD inline const Material& material_of(const SceneView& scene, Place place) {
  if (scene.instances.count != 0u) {
    const u32 material = scene.instances.list[place.instance].material;
    if (material != kOwnMaterials) return scene.materials[material];
  }
  return scene.materials[scene.mesh.material_of ? scene.mesh.material_of[place.triangle] : 0u];
}

/// The texture coordinate at barycentric (u, v) of a triangle; (0, 0) if the mesh has none.
BC_HD inline vec2 texcoord_at(const SceneView& scene, Place place, float u, float v) {
  if (!scene.mesh.corner_texcoords) return vec2(0.0f);
  const vec2* corner = scene.mesh.corner_texcoords + 3u * static_cast<u64>(place.triangle);
  return corner[0] * (1.0f - u - v) + corner[1] * u + corner[2] * v;
}

/// The colour of the vertices at barycentric (u, v) of a triangle; white if the mesh has none.
BC_HD inline vec3 vertex_color_at(const SceneView& scene, Place place, float u, float v) {
  if (!scene.mesh.vertex_colors) return vec3(1.0f);
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  return scene.mesh.vertex_colors[corners.x] * (1.0f - u - v) +
         scene.mesh.vertex_colors[corners.y] * u + scene.mesh.vertex_colors[corners.z] * v;
}

/// The factor on the opacity at barycentric (u, v) of a triangle; 1 if the mesh has none.
BC_HD inline float vertex_opacity_at(const SceneView& scene, Place place, float u, float v) {
  if (!scene.mesh.vertex_opacity) return 1.0f;
  const uvec3 corners = scene.mesh.triangles[place.triangle];
  return scene.mesh.vertex_opacity[corners.x] * (1.0f - u - v) +
         scene.mesh.vertex_opacity[corners.y] * u + scene.mesh.vertex_opacity[corners.z] * v;
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
BC_HD inline vec3 color_at(const SceneView& scene, Place place, float u, float v) {
  const Material& material = material_of(scene, place);
  return material.color * vertex_color_at(scene, place, u, v) *
         texture_color(scene, material.color_texture, texcoord_at(scene, place, u, v));
}

/// The light that a triangle emits at barycentric (u, v).
BC_HD inline vec3 emission_at(const SceneView& scene, Place place, float u, float v) {
  const Material& material = material_of(scene, place);
  return material.emission *
         texture_color(scene, material.emission_texture, texcoord_at(scene, place, u, v));
}

/// The opacity at barycentric (u, v) of a triangle, with its texture and its vertices.
BC_HD inline float opacity_at(const SceneView& scene, Place place, float u, float v) {
  const Material& material = material_of(scene, place);
  const float opacity = material.opacity * vertex_opacity_at(scene, place, u, v);
  if (material.opacity_texture == kNoTexture) return opacity;
  return opacity * sample_texture<float>(
                       scene.textures[material.opacity_texture], texcoord_at(scene, place, u, v),
                       [](Rgba8 c) { return static_cast<float>(c.a) * (1.0f / 255.0f); });
}

/// True if the surface is cut out at barycentric (u, v) of a triangle, so that rays pass through.
/// See is_hole.
BC_HD inline bool is_cut_out(const SceneView& scene, Place place, float u, float v) {
  if (!material_of(scene, place).may_cut_out() && !scene.mesh.vertex_opacity) return false;
  return opacity_at(scene, place, u, v) < kCutoutThreshold;
}

/// True if the surface is cut out where `hit` is. Costs nothing in scenes without such surfaces.
BC_HD inline bool is_hole(const SceneView& scene, Place place, const Hit& hit) {
  return scene.has_cutouts && is_cut_out(scene, place, hit.u, hit.v);
}

/// A point on a surface, with what shading needs to know.
struct Surface {
  vec3 position;
  vec3 geometric_normal;  // unit length, on the side of the ray's origin
  vec3 normal;            // unit length, on the same side; interpolated if the mesh has normals
  bool front;             // true: seen from the side on which the corners run counter-clockwise
};

/// The point of a hit.
BC_HD inline vec3 point_of(const Corners& p, const Hit& hit) {
  return p.a * (1.0f - hit.u - hit.v) + p.b * hit.u + p.c * hit.v;
}

/// The directions of a surface: `Vector` is vec3, or VectorLanes for eight at once.
template <class Vector>
struct NormalsOf {
  Vector geometric, interpolated;                           // those of Surface
  decltype(dot(Vector(0.0f), Vector(0.0f)) >= 0.0f) front;  // that of Surface

  /// `direction`: that of the ray. `ab`, `ac`: two sides of the triangle. `mean`: the mean of the
  /// corners' normals, of any length, or null. `mirrored`: the instance mirrors its mesh.
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

/// The mean of the normals of a triangle's corners at a hit. Only if the mesh has normals.
BC_HD inline vec3 mean_normal(const SceneView& scene, const Hit& hit, u32 triangle) {
  const vec3* n = scene.mesh.corner_normals + 3u * static_cast<u64>(triangle);
  return n[0] * (1.0f - hit.u - hit.v) + n[1] * hit.u + n[2] * hit.v;
}

/// The surface point that `ray` hit. `hit` must not be a miss; `place` is that of the hit.
BC_HD inline Surface surface_at(const SceneView& scene, const Ray& ray, const Hit& hit,
                                Place place) {
  const Corners p = corners_of(scene, place);
  const SceneInstance* const instance =
      scene.instances.count == 0u ? nullptr : scene.instances.list + place.instance;
  vec3 mean;
  if (scene.mesh.corner_normals) {
    mean = mean_normal(scene, hit, place.triangle);
    if (instance) mean = transformed_normal(instance->to_scene, mean);
  }
  const NormalsOf<vec3> normals(ray.direction, p.b - p.a, p.c - p.a,
                                scene.mesh.corner_normals ? &mean : nullptr,
                                instance && mirrors(instance->to_scene));
  return {point_of(p, hit), normals.geometric, normals.interpolated, normals.front};
}

BC_HD inline Surface surface_at(const SceneView& scene, const Ray& ray, const Hit& hit) {
  return surface_at(scene, ray, hit, place_of(scene, hit.triangle));
}

}  // namespace ballotcast::detail
