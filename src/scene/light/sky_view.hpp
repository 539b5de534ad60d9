// Sun and sky in the form that kernels use, and importance sampling of the sky.
#pragma once

#include "math/sampling.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The sun. Its irradiance includes the strength.
struct SunView {
  vec3 direction;   // unit vector towards the sun
  vec3 irradiance;  // irradiance on a surface that faces the sun; black if there is no sun
  BC_HD bool shines() const {
    return irradiance.x > 0.0f || irradiance.y > 0.0f || irradiance.z > 0.0f;
  }
};

/// A picture of the whole sky in equirectangular projection. The middle of the picture lies ahead,
/// its right half to the right, its top row above.
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
  const vec3* pixels;    // radiance without the factor `strength`; null: there is no picture
  const float* rows;     // rows[y]: fraction of the light in rows 0..y; the last is 1
  const float* columns;  // columns[y * width + x]: fraction of the row's light in columns 0..x
  const float* heights;  // heights[y]: height of the top of row y on the unit sphere
  u32 width;
  u32 height;
  float strength;         // factor on the radiance
  vec3 right, up, ahead;  // orthogonal unit vectors in the scene
};

/// The sky: a picture, or a gradient that includes the strength. `up` is a unit vector.
struct SkyView {
  vec3 up;
  vec3 zenith;  // zenith, horizon and ground are radiance
  vec3 horizon;
  vec3 ground;
  SkyMapView map;
  BC_HD bool has_map() const { return map.pixels != nullptr; }
};

/// A point of a picture of the sky, in pixels from its top left corner.
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

/// The index of the pixel that contains a coordinate, clamped to [0, size).
BC_HD inline u32 sky_pixel(float coordinate, u32 size) {
  return static_cast<u32>(clamp_to(coordinate, 0.0f, static_cast<float>(size) - 0.5f));
}

/// The radiance of a picture of the sky, interpolated between the centres of its pixels.
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

/// The probability density, per solid angle, with which chosen_sky_direction chooses a direction in
/// pixel (x, y) of the picture of the sky.
BC_HD inline float sky_density(const SkyMapView& map, u32 x, u32 y) {
  const float* columns = map.columns + static_cast<u64>(y) * map.width;
  const float share = (map.rows[y] - (y == 0u ? 0.0f : map.rows[y - 1u])) *
                      (columns[x] - (x == 0u ? 0.0f : columns[x - 1u]));
  const float solid_angle =
      6.28318531f * (map.heights[y] - map.heights[y + 1u]) / static_cast<float>(map.width);
  return solid_angle > 0.0f ? share / solid_angle : 0.0f;  // rows near a pole may have area 0
}
BC_HD inline float sky_density(const SkyMapView& map, vec3 direction) {
  const SkyPlace place = sky_place(map, direction);
  return sky_density(map, sky_pixel(place.x, map.width), sky_pixel(place.y, map.height));
}

/// One of several choices, whose intervals divide [0, 1], and the position of a number in this
/// interval.
struct Share {
  u32 index;
  float within;  // position in the interval, in [0, 1)
};
/// Returns the choice whose interval contains the number `choice`. The interval of choice i ends at
/// cumulative[i].
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

/// A direction towards the sky that was chosen with a probability proportional to its light.
struct SkyChoice {
  vec3 direction;
  float density;  // probability density per solid angle
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

/// The radiance of the sky in the direction of a unit vector.
BC_HD inline vec3 sky_radiance(const SkyView& sky, vec3 direction) {
  if (sky.has_map()) return sky_map_radiance(sky.map, direction);
  const float height = dot(direction, sky.up);
  if (height >= 0.0f) {
    const float rest = 1.0f - min_of(height, 1.0f);
    const float low = rest * rest * rest;
    return sky.zenith * (1.0f - low) + sky.horizon * low;
  }
  // In a narrow band, the horizon is blended with the ground
  const float depth = min_of(-height * 12.0f, 1.0f);
  return sky.horizon * (1.0f - depth) + sky.ground * depth;
}

}  // namespace ballotcast::detail
