#pragma once

#include "kernels/shadings/paths/lights.hpp"
#include "kernels/shadings/paths/reflection.hpp"
#include "kernels/shadings/shading.hpp"

namespace ballotcast::detail {

/// Adds the light of the lamp at the camera, at the surface that the sample shows. The lamp is at
/// the eye, so no visible point is in its shadow, and it needs no ray. Its brightness does not
/// depend on the distance. A quarter of its light comes from all around, so that surfaces seen at
/// grazing angles are not black.
BC_HD inline void add_camera_light(PathVertex& p, const Reflector& reflector, vec3 to_eye) {
  const float cosine = max_of(dot(reflector.normal, to_eye), 0.0f);
  p.add(LightKind::sharp,
        p.throughput * reflector.albedo(to_eye) * (p.view.camera_light * (0.25f + 0.75f * cosine)));
}

/// A path tracer: sun, sky, lamps (triangles that emit light), and light that bounces between
/// surfaces (J. Kajiya, The Rendering Equation, 1986).
///
/// At each hit, a path sends one occlusion ray towards a light (paths/lights.hpp), and goes on in a
/// direction that the surface chooses (paths/reflection.hpp, paths/glass.hpp). Lamps, and a sky
/// with a picture, can be found in both ways, so both ways are weighted. The ray after the last
/// bounce only finds lamps and sky. Paths that carry little light end early with some probability,
/// and the surviving paths carry more light to make up for it (Russian roulette).
struct LitShading {
  static constexpr ShadingInfo info{
      "lit", "sun and lamps with shadows, sky, textures, bounced light", Encoding::light, 16,
      kNeedsOcclusion | kNeedsBounces | kNeedsSoftLight};

  BC_HD static void shade(PathVertex& p) {
    const SceneView& scene = p.view.scene;
    const vec3 to_eye = p.to_eye();
    if (!p.hit.found()) {
      add_sky(p, -to_eye);
      return;
    }
    const bool looks_for_light_only = p.depth > p.view.bounces;
    // Without lamps, it is enough to know that there is a hit.
    if (looks_for_light_only && scene.emitters.count == 0u) return;
    const TrianglePlace place = place_of(scene, p.hit.triangle);
    const Material& material = material_of(scene, place);
    const bool shines = material.emits() && add_emission(p, place);
    if (looks_for_light_only) return;
    const Surface s = p.surface(place);

    if (material.transmission != Transmission::none) {
      const Glass glass = glass_at(scene, p.hit, place, s, to_eye);
      go_on(p, s, glass.bounce(to_eye, p.random(kChoices).y));
      return;
    }
    const Reflector reflector = reflector_at(scene, p.hit, place, s, to_eye);
    if (p.since_shown == kNotShown && !reflector.only_mirrors()) {
      p.since_shown = 0u;
      p.feature = {reflector.albedo(to_eye), 1.0f,       reflector.normal,
                   shines ? 1.0f : 0.0f,     s.position, 0.0f};
      add_camera_light(p, reflector, to_eye);
    }
    LightQuestion(p, s, reflector, to_eye).ask();
    const float choice = reflector.glossy ? p.random(kChoices).y : 0.0f;
    const Bounce bounce = reflector.bounce(to_eye, p.direction(), choice);
    if (dot(bounce.direction, s.geometric_normal) > 0.0f) go_on(p, s, bounce);
  }

 private:
  /// Paths with at least this many bounces may end early (Russian roulette),
  static constexpr u32 kSureBounces = 2;
  /// but only if they carry less than this share of light. A larger value saves rays, but adds
  /// noise: at 1, the error of a mean over 16x16 pixels is twice as large in the Cornell box.
  static constexpr float kSureShare = 0.25f;

  BC_HD static void add_sky(PathVertex& p, vec3 direction) {
    const SkyView& sky = p.view.scene.sky;
    float weight = 1.0f;
    if (p.density > 0.0f && sky.has_map())
      weight =
          weight_of(p.density, LightShares(p.view.scene).sky * sky_density(sky.map, direction));
    p.add(p.kind_found(sky.has_map() ? LightKind::lamp : LightKind::ambient),
          p.throughput * sky_radiance(sky, direction) * weight);
  }

  /// Adds the light of a lamp that the path's ray has hit. Returns false if the triangle emits no
  /// light there.
  BC_HD static bool add_emission(PathVertex& p, TrianglePlace place) {
    const vec3 way = vec3(p.ray.direction) * p.hit.t;
    float weight = 1.0f;
    if (p.density > 0.0f)
      weight = weight_of(p.density, lamp_density(p.view.scene, p.hit.triangle, place, way));
    const vec3 emission = emission_at(p.view.scene, place, p.hit.u, p.hit.v);
    p.add(p.kind_found(LightKind::lamp), p.throughput * emission * weight);
    return largest_magnitude(emission) > 0.0f;
  }

  /// Sets the path's next ray, or ends the path.
  BC_HD static void go_on(PathVertex& p, const Surface& s, const Bounce& bounce) {
    p.throughput = p.throughput * bounce.factor;
    const float carried = largest_magnitude(p.throughput);
    if (!(carried > 0.0f)) return;
    if (p.depth >= kSureBounces) {
      const float survival = min_of(carried / kSureShare, 1.0f);
      if (!(p.random(kChoices).x < survival)) return;
      p.throughput = p.throughput / survival;
    }
    if (p.since_shown < kAlwaysSharp)
      p.since_shown =
          p.since_shown == 0u && !(bounce.density > 0.0f) ? kAlwaysSharp : p.since_shown + 1u;
    p.density = bounce.density;
    p.next = leaving(p.view.scene, s, bounce.direction, unbounded());
  }
};

}  // namespace ballotcast::detail
