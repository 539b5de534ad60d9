#include "render/white_balance.hpp"

#include "math/sampling.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kShareOfLamps = 0.9, kShareOfDaylight = 0.5;

/// The irradiance of sun and sky on a card without anything around it. It faces the sun, or up if
/// there is no sun.
dvec3 daylight_on_card(const DaylightView& daylight) {
  constexpr int kSide = 16;  // directions in each of two dimensions
  const vec3 normal = daylight.has_sun() ? daylight.to_sun : daylight.up;
  dvec3 sky(0.0);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const vec2 place((float(x) + 0.5f) / kSide, (float(y) + 0.5f) / kSide);
      sky += dvec3(sky_radiance(daylight, cosine_direction(normal, place)));
    }
  return dvec3(daylight.sun_irradiance) + sky * (kPi / (kSide * kSide));
}

/// The mean irradiance of the lamps on a sphere around the scene.
dvec3 lamplight_around(const PreparedScene& scene) {
  const Mesh& mesh = scene.scene->mesh;
  dvec3 power(0.0);
  for (const u32 i : scene.emitters) {
    const dvec3 normal = mesh.normal_of(i);
    const double both_sides = std::sqrt(glm::dot(normal, normal));  // twice the triangle's area
    power += dvec3(material_of(scene.view, i).emission) * (kPi * both_sides);
  }
  const double diagonal = double{scene.view.diagonal};
  return diagonal > 0.0 ? power / (kPi * diagonal * diagonal) : power;
}

}  // namespace

dvec3 white_for(const WhiteBalance& wish, const PreparedScene& scene) {
  if (wish.kind == WhiteBalance::Kind::none) return dvec3(1.0);
  if (wish.kind == WhiteBalance::Kind::kelvin) return color_of_kelvin(wish.kelvin);
  const dvec3 day = daylight_on_card(scene.view.daylight), lamps = lamplight_around(scene);
  const double of_day = luminance_of(day), of_lamps = luminance_of(lamps);
  if (!(of_day + of_lamps > 0.0)) return dvec3(1.0);
  const double share = (kShareOfDaylight * of_day + kShareOfLamps * of_lamps) / (of_day + of_lamps);
  return toward_light(day + lamps, share);
}

}  // namespace ballotcast::detail
