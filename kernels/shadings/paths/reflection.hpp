// How an opaque surface reflects light: diffusely (Lambert), and by a clear coat or by metal, both
// made of microfacets.
#pragma once

#include "math/sampling.hpp"

namespace ballotcast::detail {

inline constexpr float kOneOverPi = 0.318309886f;

/// The light that a surface reflects from one direction into another, and how likely a path is to
/// choose that direction.
struct Reflected {
  // Reflectance per solid angle, times the cosine of the angle between light and normal.
  vec3 share;
  // The probability per solid angle that Reflector::bounce chooses the light's direction.
  float density;
};

/// The next direction of a path.
struct Bounce {
  vec3 direction;  // of length 1
  vec3 factor;     // factor on the path's throughput; black ends the path
  float density;   // see Reflected::density; 0: only this direction was possible, as on a mirror
};

/// Schlick's weight of the reflection at a grazing angle: (1 - cosine)^5 (C. Schlick, An
/// Inexpensive BRDF Model for Physically-based Rendering, 1994).
BC_HD inline float grazing_weight(float cosine) {
  const float rest = clamp_to(1.0f - cosine, 0.0f, 1.0f);
  const float square = rest * rest;
  return square * square * rest;
}

/// The direction of a mirror's reflection of `to_eye` about `normal`, both of length 1.
BC_HD inline vec3 mirrored(vec3 to_eye, vec3 normal) {
  return normal * (2.0f * dot(to_eye, normal)) - to_eye;
}

/// `normal`, turned towards `geometric` until the mirrored direction leaves the surface. With an
/// interpolated normal, or one from a normal map, the mirrored direction may point into the
/// surface, where there is no light. Then the mirrored direction is lifted to just above the
/// surface, and the new normal lies half way between that direction and the eye. (This is the
/// method of "ensure valid reflection" in Blender's Cycles.) Both normals must be on the eye's
/// side.
BC_HD inline vec3 reflecting_normal(vec3 normal, vec3 geometric, vec3 to_eye) {
  constexpr float kLeast = 0.01f;  // the least cosine of the mirrored direction to `geometric`
  const float least = min_of(kLeast, 0.9f * dot(geometric, to_eye));
  const vec3 ray = mirrored(to_eye, normal);
  const float height = dot(geometric, ray);
  if (height >= least) return normal;
  return unit_or(to_eye + unit_or(ray + geometric * (least - height), geometric), normal);
}

/// A point of an opaque surface. All directions that functions take have length 1 and point away
/// from the surface, and `to_eye` is on the side of the normal.
///
/// Coats and metals are rough mirrors with the GGX distribution of normals and Smith's shadowing
/// (B. Walter et al., Microfacet Models for Refraction through Rough Surfaces, 2007). Light that
/// passes a coat on its way in and on its way out is scattered diffusely. This share is scaled so
/// that a white surface under a smooth coat reflects all light (after C. Kelemen and L.
/// Szirmay-Kalos, A Microfacet Based Coupled Specular-Matte BRDF Model, 2001).
struct Reflector {
  vec3 normal;
  vec3 diffuse;   // share of light that is scattered diffusely, at normal incidence
  vec3 specular;  // share of light that is mirrored at normal incidence
  float width;    // alpha of the GGX distribution
  bool glossy;  // false: the surface has neither coat nor metal; `specular` and `width` are unused

  /// Coats and metals with a smaller width (alpha of GGX) are treated as perfect mirrors, which
  /// reflect into a single direction.
  static constexpr float kMirrorWidth = 0.01f;

  BC_HD bool mirrors() const { return glossy && width < kMirrorWidth; }
  /// True if the surface is a perfect mirror without diffuse light, so that other surfaces are seen
  /// in it.
  BC_HD bool only_mirrors() const { return mirrors() && !(largest_magnitude(diffuse) > 0.0f); }

  /// The approximate share of light that is reflected towards `to_eye`.
  BC_HD vec3 albedo(vec3 to_eye) const {
    if (!glossy) return diffuse;
    const float weight = coat_weight(dot(normal, to_eye));
    return mirrored_at(weight) + diffuse * (1.0f - weight);
  }

  /// The light reflected from `to_light` towards `to_eye`, without the reflection of a perfect
  /// mirror.
  BC_HD Reflected reflect(vec3 to_eye, vec3 to_light) const {
    const float cosine = dot(normal, to_light);
    if (!(cosine > 0.0f)) return {vec3(0.0f), 0.0f};
    const float even = cosine * kOneOverPi;
    if (!glossy) return {diffuse * even, even};
    const float eye_cosine = dot(normal, to_eye);
    const float gloss = gloss_chance(eye_cosine);
    Reflected out{diffuse * (passed(eye_cosine, cosine) * even), (1.0f - gloss) * even};
    if (mirrors() || !(eye_cosine > 0.0f)) return out;
    const vec3 half = unit_or(to_eye + to_light, normal);
    const float height = dot(normal, half);
    const float share = facets(height) * visible(eye_cosine) / (4.0f * eye_cosine);
    out.share =
        out.share + mirrored_at(grazing_weight(dot(to_eye, half))) * (share * visible(cosine));
    out.density += gloss * share;
    return out;
  }

  /// Chooses the direction from which light comes. `sample` and `choice` are random numbers in [0,
  /// 1). `choice` is used only if the surface is glossy.
  BC_HD Bounce bounce(vec3 to_eye, const DirectionSample& sample, float choice) const {
    if (!glossy) {
      const vec3 direction = cosine_direction(normal, sample);
      return {direction, diffuse, max_of(dot(direction, normal), 0.0f) * kOneOverPi};
    }
    const float eye_cosine = dot(normal, to_eye);
    const float gloss = gloss_chance(eye_cosine);
    vec3 direction;
    if (choice < gloss) {
      if (mirrors())
        return {mirrored(to_eye, normal), mirrored_at(grazing_weight(eye_cosine)) / gloss, 0.0f};
      direction = mirrored(to_eye, facet_normal(to_eye, sample.random));
    } else {
      direction = cosine_direction(normal, sample);
    }
    const Reflected r = reflect(to_eye, direction);
    if (!(r.density > 0.0f)) return {direction, vec3(0.0f), 0.0f};
    return {direction, r.share / r.density, r.density};
  }

 private:
  /// The share of light that is mirrored at the angle with this grazing_weight.
  BC_HD vec3 mirrored_at(float weight) const { return specular + (vec3(1.0f) - specular) * weight; }

  /// The ratio of coat_weight to grazing_weight. At flat angles a rough coat mirrors less than a
  /// smooth coat, because its facets hide each other. Fitted so that no energy is gained at any
  /// width and angle (tests/kernels/reflection_test.cpp).
  BC_HD float flatness() const {
    const float even = 1.0f - width * width;
    return 0.02f + 0.98f * even * even;
  }

  /// The share of light, beyond `specular`, that a coat reflects, so that it does not reach the
  /// diffuse surface below.
  BC_HD float coat_weight(float cosine) const { return flatness() * grazing_weight(cosine); }

  /// The share of light that passes the coat on the way in and on the way out, scaled so that a
  /// white surface below loses no light: the mean of grazing_weight over all directions, weighted
  /// by the cosine, is 1/21.
  BC_HD float passed(float eye_cosine, float cosine) const {
    return (1.0f - coat_weight(eye_cosine)) * (1.0f - coat_weight(cosine)) *
           (21.0f / (21.0f - flatness()));
  }

  /// The probability that a path is mirrored, and not scattered diffusely.
  BC_HD float gloss_chance(float eye_cosine) const {
    const float even = largest_magnitude(diffuse) * (1.0f - coat_weight(eye_cosine));
    const float mirror = largest_magnitude(mirrored_at(grazing_weight(eye_cosine)));
    return even > 0.0f ? mirror / (mirror + even) : 1.0f;
  }

  /// The GGX density of facets whose normal has this cosine to the surface's normal.
  BC_HD float facets(float cosine) const {
    const float square = width * width;
    const float spread = cosine * cosine * (square - 1.0f) + 1.0f;
    return square * kOneOverPi / (spread * spread);
  }

  /// The share of the facets that is visible at this angle, not hidden by other facets (Smith).
  BC_HD float visible(float cosine) const {
    const float square = width * width;
    return 2.0f * cosine / (cosine + sqrtf(square + (1.0f - square) * cosine * cosine));
  }

  /// The normal of a facet that is visible from `to_eye` (J. Dupuy and A. Benyoub, Sampling Visible
  /// GGX Normals with Spherical Caps, 2023).
  BC_HD vec3 facet_normal(vec3 to_eye, vec2 sample) const {
    vec3 tangent, bitangent;
    frame_around(normal, tangent, bitangent);
    const vec3 up(0.0f, 0.0f, 1.0f);
    const vec3 eye = unit_or(
        {dot(to_eye, tangent) * width, dot(to_eye, bitangent) * width, dot(to_eye, normal)}, up);
    const SinCos angle = sincos_turns(static_cast<double>(sample.x));
    const float height = (1.0f - sample.y) * (1.0f + eye.z) - eye.z;
    const float radius = sqrtf(max_of(0.0f, 1.0f - height * height));
    const vec3 cap(radius * static_cast<float>(angle.cos), radius * static_cast<float>(angle.sin),
                   height);
    const vec3 half = cap + eye;
    const vec3 local = unit_or({half.x * width, half.y * width, max_of(half.z, 0.0f)}, up);
    return unit_or(tangent * local.x + bitangent * local.y + normal * local.z, normal);
  }
};

}  // namespace ballotcast::detail
