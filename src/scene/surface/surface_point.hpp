// Describes the surface at a hit: position, normals, and how it looks there.
#pragma once

#include <limits>

#include "ballotcast/frame.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Fills in what the material, the textures and the vertices state at a hit.
inline void add_looks(const SceneView& scene, Place place, const Hit& hit, SurfacePoint& out) {
  const Material& material = material_of(scene, place);
  const vec2 uv = texcoord_at(scene, place, hit.u, hit.v);
  out.texcoord[0] = uv.x;
  out.texcoord[1] = uv.y;
  out.vertex_color = vertex_color_at(scene, place, hit.u, hit.v);
  out.texture_color = texture_color(scene, material.color_texture, uv);
  out.color = color_at(scene, place, hit.u, hit.v);
  out.emission = emission_at(scene, place, hit.u, hit.v);
  out.roughness = material.roughness * texture_numbers(scene, material.roughness_texture, uv).y;
  out.metallic = material.metallic * texture_numbers(scene, material.metallic_texture, uv).z;
  out.opacity = opacity_at(scene, place, hit.u, hit.v);
  out.material = static_cast<u32>(&material - scene.materials);
}

/// The surface at a hit of the scene. `origin`: Scene::origin().
inline SurfacePoint surface_point(const SceneView& scene, dvec3 origin, const Hit& hit) {
  SurfacePoint out{};
  out.material = kNoTriangle;
  if (!hit.found()) {
    out.position = Vec3d(dvec3(std::numeric_limits<double>::quiet_NaN()));
    return out;
  }
  const Place place = place_of(scene, hit.triangle);
  const Corners p = corners_of(scene, place);
  const dvec3 a(p.a), b(p.b), c(p.c);
  const double u = double{hit.u}, v = double{hit.v};
  out.position = Vec3d(origin + a * (1.0 - u - v) + b * u + c * v);
  const dvec3 across = cross(b - a, c - a);
  const double size = sqrt(dot(across, across));
  const vec3 geometric(size > 0.0 ? across / size : across);
  vec3 normal = geometric;
  if (scene.mesh.corner_normals) {
    normal = mean_normal(scene, hit, place.triangle);
    if (scene.instances.count != 0u)
      normal = transformed_normal(scene.instances.list[place.instance].to_scene, normal);
  }
  out.geometric_normal = geometric;
  out.normal = unit_or(normal, geometric);
  add_looks(scene, place, hit, out);
  return out;
}

}  // namespace ballotcast::detail
