#include "scene/mtl_surface.hpp"

#include "scene/texture_maps.hpp"

namespace ballotcast::detail {

namespace {

/// What glass reflects at normal incidence, and most other materials that are no metal.
constexpr float kUsualCoat = 0.04f;
/// The exponent of materials that have Ks but no Ns.
constexpr double kUsualExponent = 100.0;

float clamped(double value, float high) { return clamp_to(static_cast<float>(value), 0.0f, high); }

vec3 clamped(dvec3 value, float high) {
  return {clamped(value.x, high), clamped(value.y, high), clamped(value.z, high)};
}

bool is_glass(const MtlMaterial& m) {
  const double model = m.illumination.value_or(0.0);
  if (model != 4.0 && model != 6.0 && model != 7.0 && model != 9.0) return false;
  // Maya writes illum 4 with Ni 1 for every material.
  return m.refraction.value_or(1.0) > 1.0 || m.opacity < 1.0;
}

}  // namespace

bool is_measured(const MtlMaterial& m) {
  return m.roughness || m.metallic || !m.roughness_map.name.empty() || !m.metallic_map.name.empty();
}

Material surface_of(const MtlMaterial& from) {
  Material to;
  if (from.has_color) to.color = clamped(from.color, 1.0f);
  to.emission = clamped(from.emission, static_cast<float>(kBrightest));
  to.opacity = clamped(from.opacity, 1.0f);
  to.bumpiness = from.normal_map.name.empty() ? from.bump_map.bumpiness : from.normal_map.bumpiness;
  if (is_glass(from)) {
    const bool thin = from.illumination == 4.0 || from.illumination == 9.0;
    to.transmission = thin ? Transmission::thin : Transmission::solid;
    to.transmitted = clamped(from.transmitted.value_or(dvec3(1.0)), 1.0f);
    to.refraction = clamp_to(static_cast<float>(from.refraction.value_or(1.5)), 1.0f, 1000.0f);
    to.opacity = 1.0f;
    return to;
  }
  if (is_measured(from)) {
    to.specular = vec3(kUsualCoat);
    const double from_exponent = from.exponent ? roughness_of(*from.exponent) : 1.0;
    to.roughness = from.roughness_map.name.empty()
                       ? clamped(from.roughness.value_or(from_exponent), 1.0f)
                       : 1.0f;
    to.metallic =
        from.metallic_map.name.empty() ? clamped(from.metallic.value_or(0.0), 1.0f) : 1.0f;
    return to;
  }
  const double model = from.illumination.value_or(3.0);
  if (model < 2.0 || (!from.specular && from.specular_map.name.empty())) return to;
  // Where there is a picture, exporters often write an arbitrary Ks.
  to.specular = from.specular_map.name.empty() ? clamped(*from.specular, 1.0f) : vec3(1.0f);
  if (model == 2.0) to.specular = to.specular * (2.0f * kUsualCoat);
  to.roughness = from.exponent_map.name.empty()
                     ? clamped(roughness_of(from.exponent.value_or(kUsualExponent)), 1.0f)
                     : 1.0f;
  return to;
}

}  // namespace ballotcast::detail
