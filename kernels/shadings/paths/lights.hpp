// Direct light: one shadow ray from a point of a surface to the sun, a lamp or the sky.
#pragma once

#include "kernels/shadings/paths/finish.hpp"
#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// The weight of a sample that was chosen with density `own`, if the same light can also be found
/// with density `other`: the power heuristic (E. Veach and L. Guibas, Optimally Combining Sampling
/// Techniques for Monte Carlo Rendering, 1995).
BC_HD inline float weight_of(float own, float other) {
  const float ratio = other / own;
  return 1.0f / (1.0f + ratio * ratio);
}

/// The probabilities with which a shadow ray goes to each kind of light: equal for all kinds that
/// the scene has. The share of a sky without a picture is 0, because such a sky is about equally
/// bright everywhere: path rays that hit nothing sample it well enough.
struct LightShares {
  float sun, lamps, sky;

  BC_HD explicit LightShares(const SceneView& scene) {
    const u32 suns = scene.sun.shines() ? 1u : 0u, lights = scene.emitters.count != 0u ? 1u : 0u,
              skies = scene.sky.has_map() ? 1u : 0u;
    const u32 all = suns + lights + skies;
    const float each = all == 0u ? 0.0f : 1.0f / static_cast<float>(all);
    sun = suns != 0u ? each : 0.0f;
    lamps = lights != 0u ? each : 0.0f;
    sky = skies != 0u ? each : 0.0f;
  }
};

/// An emitting triangle: a corner, and the edges from there to the other two.
struct Lamp {
  vec3 a, ab, ac;

  BC_HD Lamp(const SceneView& scene, TrianglePlace place) {
    const Corners corners = triangle_at(scene, place);
    a = corners.a;
    ab = corners.b - a;
    ac = corners.c - a;
  }
};

/// The density, per solid angle, with which a shadow ray is sent to a point of this lamp. The lamp
/// is number `index` of the emitters; `way` leads from the surface to the point on the lamp.
BC_HD inline float lamp_density(const SceneView& scene, u32 index, const Lamp& lamp, vec3 way) {
  const float* cumulative = scene.emitters.cumulative;
  const float share = cumulative[index] - (index == 0u ? 0.0f : cumulative[index - 1u]);
  const float distance2 = dot(way, way);
  // Twice the area of the triangle, times the cosine at the lamp. Lamps shine on both sides.
  const float facing = magnitude_of(dot(cross(lamp.ab, lamp.ac), way)) / sqrtf(distance2);
  return LightShares(scene).lamps * share * 2.0f * distance2 / facing;
}

/// The density, per solid angle, with which a shadow ray is sent to a point on a lamp that a path's
/// ray has hit. `id`: the triangle of the lamp.
BC_HD inline float lamp_density(const SceneView& scene, u32 id, TrianglePlace place, vec3 way) {
  const u32* triangles = scene.emitters.triangles;
  u32 low = 0, high = scene.emitters.count;
  while (low < high) {
    const u32 middle = (low + high) / 2u;
    if (triangles[middle] < id)
      low = middle + 1u;
    else
      high = middle;
  }
  if (low == scene.emitters.count || triangles[low] != id) return 0.0f;
  return lamp_density(scene, low, Lamp(scene, place), way);
}

/// Chooses a light, and a shadow ray towards it. `reflector` belongs to the surface `s`.
class LightQuestion {
 public:
  BC_HD LightQuestion(PathVertex& vertex, const Surface& s, const Reflector& reflector, vec3 to_eye)
      : p_(vertex), scene_(vertex.view.scene), s_(s), reflector_(reflector), to_eye_(to_eye) {}

  /// Sets the vertex's shadow ray, and the light that arrives if this ray hits nothing.
  BC_HD void ask() {
    const LightShares shares(scene_);
    // If there is only one kind of light, no random number is needed.
    if (shares.sun == 1.0f) return ask_sun(1.0f);
    if (shares.lamps == 1.0f) return ask_lamp();
    const float choice = p_.random(kLight).x;
    if (choice < shares.lamps)
      ask_lamp();
    else if (choice < shares.lamps + shares.sky)
      ask_sky(shares.sky);
    else if (shares.sun > 0.0f)
      ask_sun(shares.sun);
  }

 private:
  BC_HD void ask_sun(float share) {
    const vec3 direction = scene_.sun.direction;
    if (!(dot(s_.geometric_normal, direction) > 0.0f)) return;
    const Reflected r = reflector_.reflect(to_eye_, direction);
    if (!(largest_magnitude(r.share) > 0.0f)) return;
    p_.occlusion = leaving(scene_, s_, direction, unbounded());
    p_.unoccluded = {p_.throughput * scene_.sun.irradiance * r.share / share,
                     p_.kind_asked(LightKind::sharp)};
  }

  BC_HD void ask_sky(float share) {
    const SkyChoice chosen = chosen_sky_direction(scene_.sky.map, p_.random(kPointOfLight));
    if (!(chosen.density > 0.0f && dot(s_.geometric_normal, chosen.direction) > 0.0f)) return;
    const Reflected r = reflector_.reflect(to_eye_, chosen.direction);
    if (!(largest_magnitude(r.share) > 0.0f)) return;
    const float density = share * chosen.density;
    p_.occlusion = leaving(scene_, s_, chosen.direction, unbounded());
    p_.unoccluded = {p_.throughput * sky_radiance(scene_.sky, chosen.direction) * r.share *
                         (weight_of(density, r.density) / density),
                     p_.kind_asked(LightKind::lamp)};
  }

  BC_HD void ask_lamp() {
    // One random number chooses the triangle, and its remaining fraction helps to choose the point
    // on the triangle. So the samples of a pixel are evenly spread over all lamps together.
    const vec2 random = p_.random(kPointOfLight);
    const Share chosen = share_at(scene_.emitters.cumulative, scene_.emitters.count, random.x);
    const u32 index = chosen.index;
    const TrianglePlace place = place_of(scene_, scene_.emitters.triangles[index]);
    const Lamp lamp(scene_, place);
    const vec2 uv = triangle_sample({chosen.within, random.y});
    const Ray ray = leaving(scene_, s_, vec3(0.0f), 1.0f);
    const vec3 way = lamp.a + lamp.ab * uv.x + lamp.ac * uv.y - vec3(ray.origin);
    const vec3 direction = unit_or(way, vec3(0.0f));
    if (!(dot(s_.geometric_normal, direction) > 0.0f)) return;
    if (is_cut_out(scene_, place, uv.x, uv.y)) return;
    const Reflected r = reflector_.reflect(to_eye_, direction);
    const float density = lamp_density(scene_, index, lamp, way);
    if (!(largest_magnitude(r.share) > 0.0f && density > 0.0f && density < unbounded())) return;
    // The ray ends just before the lamp, so that it does not hit the lamp itself.
    p_.occlusion = {ray.origin, 0.0f, way, 1.0f - scene_.offset / sqrtf(dot(way, way))};
    p_.unoccluded = {p_.throughput * emission_at(scene_, place, uv.x, uv.y) * r.share *
                         (weight_of(density, r.density) / density),
                     p_.kind_asked(LightKind::lamp)};
  }

  PathVertex& p_;
  const SceneView& scene_;
  const Surface& s_;
  const Reflector& reflector_;
  const vec3 to_eye_;
};

}  // namespace ballotcast::detail
