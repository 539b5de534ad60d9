#pragma once

#include "kernels/shadings/camera_light.hpp"

namespace ballotcast::detail {

/// A path tracer: sun with shadows, lamps (triangles that emit light), sky, and light that bounces
/// between surfaces. All surfaces are diffuse (J. Kajiya, The Rendering Equation, 1986).
///
/// At each hit, a path sends one occlusion ray towards the sun or a lamp, and goes on in a
/// cosine-distributed direction. A lamp can be found in both ways, so both are weighted (multiple
/// importance sampling with the power heuristic: E. Veach and L. Guibas, Optimally Combining
/// Sampling Techniques for Monte Carlo Rendering, 1995). The sky is found by the second way only,
/// and the sun, which has no size, by the first. The ray after the last bounce only looks for lamps
/// and sky. Paths that carry little light end early, and the others gain what these lose.
struct LitShading {
  static constexpr ShadingInfo info{
      "lit", "sun and lamps with shadows, sky, textures, bounced light", Encoding::light, 16,
      kNeedsOcclusion | kNeedsBounces | kNeedsSoftLight};

  BC_HD static void shade(PathVertex& p) {
    const SceneView& scene = p.view.scene;
    if (!p.hit.found()) {
      const vec3 direction = unit_or(p.ray.direction, vec3(0.0f, 1.0f, 0.0f));
      p.add(p.depth == 0u ? LightKind::sharp : LightKind::ambient,
            p.throughput * sky_radiance(scene.daylight, direction));
      return;
    }
    const Surface s = surface_at(scene, p.ray, p.hit);
    const Material& material = material_of(scene, p.hit.triangle);
    if (material.emits()) add_emission(p, s, material.emission);
    if (p.depth > p.view.bounces) return;

    const vec3 color = color_at(scene, p.hit.triangle, p.hit.u, p.hit.v);
    if (p.depth == 0u) p.feature = {color, s.normal, s.position, 1.0f};
    p.throughput = p.throughput * color;
    add_camera_light(p, s);
    ask_light(p, s);
    bounce(p, s);
  }

 private:
  static constexpr float kOneOverPi = 0.318309886f;
  /// Paths with this many bounces may end early.
  static constexpr u32 kSureBounces = 2;

  /// The dimensions of random numbers (PathVertex::random).
  enum Dimension : u32 { kLight = 1, kPointOnLamp = 2, kDirection = 3, kSurvival = 4 };

  /// The weight of a sample that was drawn with density `own`, if the same light could also be
  /// found with density `other`.
  BC_HD static float weight_of(float own, float other) {
    const float ratio = other / own;
    return 1.0f / (1.0f + ratio * ratio);
  }

  /// The share of occlusion rays that ask for lamps; the others ask for the sun.
  BC_HD static float lamp_share(const SceneView& scene) {
    return scene.emitters.count == 0u ? 0.0f : scene.daylight.has_sun() ? 0.5f : 1.0f;
  }

  /// The density, per solid angle, with which ask_lamp asks for a point of a lamp. `way` leads from
  /// the asking point to it, `cosine` is that between way and the lamp's normal.
  BC_HD static float lamp_density(const SceneView& scene, vec3 emission, float distance2,
                                  float cosine) {
    const float per_area = luminance_of(emission) / scene.emitters.power;
    return lamp_share(scene) * per_area * distance2 / magnitude_of(cosine);
  }

  /// Adds the light of a lamp that the path's ray has hit.
  BC_HD static void add_emission(PathVertex& p, const Surface& s, vec3 emission) {
    if (p.depth == 0u) {
      p.add(LightKind::sharp, emission);
      return;
    }
    const vec3 way = vec3(p.ray.direction) * p.hit.t;
    const float distance2 = dot(way, way);
    const float cosine = dot(s.geometric_normal, unit_or(way, s.geometric_normal));
    const float weight =
        weight_of(p.density, lamp_density(p.view.scene, emission, distance2, cosine));
    p.add(p.depth == 1u ? LightKind::lamp : LightKind::ambient, p.throughput * emission * weight);
  }

  BC_HD static void ask_light(PathVertex& p, const Surface& s) {
    const float lamps = lamp_share(p.view.scene);
    const vec2 choice = p.random(kLight);
    if (lamps > 0.0f && choice.x < lamps)
      ask_lamp(p, s, choice.y);
    else if (p.view.scene.daylight.has_sun())
      ask_sun(p, s, 1.0f / (1.0f - lamps));
  }

  BC_HD static void ask_sun(PathVertex& p, const Surface& s, float weight) {
    const DaylightView& light = p.view.scene.daylight;
    const float cosine = dot(s.normal, light.to_sun);
    if (!(cosine > 0.0f && dot(s.geometric_normal, light.to_sun) > 0.0f)) return;
    p.occlusion = leaving(p.view.scene, s, light.to_sun, unbounded());
    p.unoccluded = {p.throughput * light.sun_irradiance * (weight * cosine * kOneOverPi),
                    p.depth == 0u ? LightKind::sharp : LightKind::ambient};
  }

  BC_HD static void ask_lamp(PathVertex& p, const Surface& s, float choice) {
    const SceneView& scene = p.view.scene;
    const u32 lamp = emitter_at(scene.emitters, choice);
    const uvec3 corners = scene.mesh.triangles[lamp];
    const vec3 a = scene.mesh.positions[corners.x], b = scene.mesh.positions[corners.y],
               c = scene.mesh.positions[corners.z];
    const vec2 uv = triangle_sample(p.random(kPointOnLamp));
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
    const vec3 emission = material_of(scene, lamp).emission;
    const float density = lamp_density(scene, emission, distance2, lamp_cosine);
    const float weight = weight_of(density, cosine * kOneOverPi);
    // The ray ends just before the lamp, so that it does not hit the lamp itself.
    p.occlusion = {ray.origin, 0.0f, way, 1.0f - scene.offset / sqrtf(distance2)};
    p.unoccluded = {p.throughput * emission * (weight * cosine * kOneOverPi / density),
                    p.depth == 0u ? LightKind::lamp : LightKind::ambient};
  }

  /// Maps `choice`, which is in [0, 1), to an emitting triangle. Each emitting triangle gets a part
  /// of [0, 1) in proportion to its power.
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

  BC_HD static void bounce(PathVertex& p, const Surface& s) {
    if (p.depth >= kSureBounces) {
      const float survival =
          min_of(max_of(p.throughput.x, max_of(p.throughput.y, p.throughput.z)), 1.0f);
      if (!(p.random(kSurvival).x < survival)) return;
      p.throughput = p.throughput / survival;
    }
    const vec3 direction = cosine_direction(s.normal, p.random(kDirection));
    if (!(dot(direction, s.geometric_normal) > 0.0f)) return;
    p.density = max_of(dot(direction, s.normal), 0.0f) * kOneOverPi;
    p.next = leaving(p.view.scene, s, direction, unbounded());
  }
};

}  // namespace ballotcast::detail
