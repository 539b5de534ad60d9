#pragma once

#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// A path tracer: sun with shadows, lamps (triangles that emit light), sky, and light that bounces
/// between surfaces. All surfaces are diffuse. At each hit, a path sends one occlusion ray towards
/// the sun or a lamp. Then it goes on in a cosine-distributed direction around the normal (J.
/// Kajiya, The Rendering Equation, 1986; P. Shirley et al., Monte Carlo Techniques for Direct
/// Lighting Calculations, 1996).
struct LitShading {
  static constexpr ShadingInfo info{
      "lit", "sun and lamps with shadows, sky, textures, bounced light", Encoding::light, 16,
      kNeedsOcclusion | kNeedsBounces | kNeedsSoftLight};

  BC_HD static void shade(PathVertex& p) {
    const SceneView& scene = p.view.scene;
    if (!p.hit.found()) {
      const vec3 direction = unit_or(p.ray.direction, vec3(0.0f, 1.0f, 0.0f));
      (p.depth == 0u ? p.radiance : p.soft) =
          p.throughput * sky_radiance(scene.daylight, direction);
      return;
    }
    const Surface s = surface_at(scene, p.ray, p.hit);
    const vec3 color = color_at(scene, p.hit.triangle, p.hit.u, p.hit.v);
    if (p.depth == 0u) {
      // A lamp's emission is added only where the camera ray hits the lamp. For later rays of the
      // path `ask_lamp` has sampled the lamps already, so their light would count twice.
      p.radiance = material_of(scene, p.hit.triangle).emission;
      p.feature = {color, s.normal, s.position, 1.0f};
    }
    p.throughput = p.throughput * color;

    const bool sun = scene.daylight.has_sun(), lamps = scene.emitters.count != 0u;
    const vec2 choice = p.random(1);
    if (sun && (!lamps || choice.x < 0.5f))
      ask_sun(p, s, lamps ? 2.0f : 1.0f);
    else if (lamps)
      ask_lamp(p, s, choice.y, sun ? 2.0f : 1.0f);

    if (p.depth >= p.view.bounces) return;
    const vec3 direction = cosine_direction(s.normal, p.random(3));
    if (dot(direction, s.geometric_normal) > 0.0f)
      p.next = leaving(scene, s, direction, unbounded());
  }

 private:
  static constexpr float kOneOverPi = 0.318309886f;

  BC_HD static void ask_sun(PathVertex& p, const Surface& s, float weight) {
    const DaylightView& light = p.view.scene.daylight;
    const float cosine = dot(s.normal, light.to_sun);
    if (!(cosine > 0.0f && dot(s.geometric_normal, light.to_sun) > 0.0f)) return;
    p.occlusion = leaving(p.view.scene, s, light.to_sun, unbounded());
    p.unoccluded_soft = p.depth != 0u;  // the sun's own shadows are sharp
    p.unoccluded = p.throughput * light.sun_irradiance * (weight * cosine * kOneOverPi);
  }

  BC_HD static void ask_lamp(PathVertex& p, const Surface& s, float choice, float weight) {
    const SceneView& scene = p.view.scene;
    const u32 lamp = emitter_at(scene.emitters, choice);
    const uvec3 corners = scene.mesh.triangles[lamp];
    const vec3 a = scene.mesh.positions[corners.x], b = scene.mesh.positions[corners.y],
               c = scene.mesh.positions[corners.z];
    const vec2 uv = triangle_sample(p.random(2));
    const vec3 point = a * (1.0f - uv.x - uv.y) + b * uv.x + c * uv.y;
    const Ray ray = leaving(scene, s, vec3(0.0f), 1.0f);
    const vec3 way = point - vec3(ray.origin);
    const float distance2 = dot(way, way);
    const vec3 direction = unit_or(way, vec3(0.0f));
    const vec3 lamp_normal = unit_or(cross(b - a, c - a), vec3(0.0f));
    const float cosine = dot(s.normal, direction);
    // Lamps shine on both sides.
    const float lamp_cosine = magnitude_of(dot(lamp_normal, direction));
    if (!(cosine > 0.0f && lamp_cosine > 0.0f && dot(s.geometric_normal, direction) > 0.0f &&
          distance2 > 0.0f))
      return;
    // The ray ends just before the lamp, so that it does not hit the lamp itself.
    p.occlusion = {ray.origin, 0.0f, way, 1.0f - scene.offset / sqrtf(distance2)};
    p.unoccluded_soft = true;
    p.unoccluded = p.throughput * material_of(scene, lamp).emission *
                   (weight * cosine * lamp_cosine * scene.emitters.area / distance2 * kOneOverPi);
  }

  /// Maps `choice`, which is in [0, 1), to an emitting triangle. Each emitting triangle gets a part
  /// of [0, 1) in proportion to its area.
  BC_HD static u32 emitter_at(const EmitterView& emitters, float choice) {
    u32 low = 0, high = emitters.count - 1u;
    while (low < high) {
      const u32 middle = (low + high) / 2u;
      if (choice < emitters.cumulative[middle])
        high = middle;
      else
        low = middle + 1u;
    }
    return emitters.triangles[low];
  }
};

}  // namespace ballotcast::detail
