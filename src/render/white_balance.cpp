#include "render/white_balance.hpp"

#include <cmath>

#include "math/sampling.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kShareOfLamps = 0.9, kShareOfDaylight = 0.3;

/// The irradiance of a picture of the sky on a card that faces `normal`.
dvec3 sky_map_on_card(const SkyMapView& map, vec3 normal) {
  std::vector<vec3> around;  // the horizontal direction of each column
  for (u32 x = 0; x < map.width; ++x) {
    const SinCos angle = sincos_turns((x + 0.5) / map.width - 0.5);
    around.push_back(map.right * static_cast<float>(angle.sin) +
                     map.ahead * static_cast<float>(angle.cos));
  }
  dvec3 sum(0.0);
  for (u32 y = 0; y < map.height; ++y) {
    const double top = double{map.heights[y]}, bottom = double{map.heights[y + 1]};
    const float height = static_cast<float>(0.5 * (top + bottom));
    const float radius = std::sqrt(std::max(0.0f, 1.0f - height * height));
    const vec3* const row = map.pixels + u64{y} * map.width;
    dvec3 of_row(0.0);
    for (u32 x = 0; x < map.width; ++x) {
      const float cosine = dot(around[x] * radius + map.up * height, normal);
      if (cosine > 0.0f) of_row += dvec3(row[x] * cosine);
    }
    sum += of_row * ((top - bottom) * 2.0 * kPi / map.width);
  }
  return sum * double{map.strength};
}

/// The irradiance of sun and sky on a card without anything around it. It faces the sun, or up if
/// there is no sun.
dvec3 daylight_on_card(const SunView& sun, const SkyView& daylight) {
  constexpr int kSide = 16;  // directions in each of two dimensions
  const vec3 normal = sun.shines() ? sun.direction : daylight.up;
  if (daylight.has_map()) return dvec3(sun.irradiance) + sky_map_on_card(daylight.map, normal);
  dvec3 sky(0.0);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const vec2 place((float(x) + 0.5f) / kSide, (float(y) + 0.5f) / kSide);
      sky += dvec3(sky_radiance(daylight, cosine_direction(normal, place)));
    }
  return dvec3(sun.irradiance) + sky * (kPi / (kSide * kSide));
}

/// The mean irradiance of the lamps on a sphere around the scene.
dvec3 lamplight_around(const PreparedScene& scene) {
  dvec3 power(0.0);
  for (const u32 id : scene.lights.emitters) {
    const Place place = place_of(scene.view, id);
    const Corners p = corners_of(scene.view, place);
    const dvec3 a(p.a), normal = glm::cross(dvec3(p.b) - a, dvec3(p.c) - a);
    const double both_sides = std::sqrt(glm::dot(normal, normal));  // twice the triangle's area
    power += dvec3(material_of(scene.view, place).emission) * (kPi * both_sides);
  }
  const double diagonal = double{scene.view.diagonal};
  return diagonal > 0.0 ? power / (kPi * diagonal * diagonal) : power;
}

}  // namespace

dvec3 white_for(const WhiteBalance& wish, const PreparedScene& scene) {
  if (wish.kind == WhiteBalance::Kind::none) return dvec3(1.0);
  if (wish.kind == WhiteBalance::Kind::kelvin) return color_of_kelvin(wish.kelvin);
  const dvec3 day = daylight_on_card(scene.view.sun, scene.view.sky),
              lamps = lamplight_around(scene);
  const double of_day = luminance_of(day), of_lamps = luminance_of(lamps);
  if (!(of_day + of_lamps > 0.0)) return dvec3(1.0);
  const double share = (kShareOfDaylight * of_day + kShareOfLamps * of_lamps) / (of_day + of_lamps);
  return toward_light(day + lamps, share);
}

}  // namespace ballotcast::detail
