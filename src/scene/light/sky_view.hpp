// Sun and sky in the form that kernels use, and how a path chooses directions of the sky.
#pragma once

#include "math/sampling.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The sun, with its strength multiplied in.
struct SunView {
  vec3 direction;   // towards it, of length 1
  vec3 irradiance;  // on a surface that faces it; black if there is no sun
  BC_HD bool shines() const {
    return irradiance.x > 0.0f || irradiance.y > 0.0f || irradiance.z > 0.0f;
  }
};

/// A picture of the whole sky: an equirectangular projection. Its middle lies ahead, its right half
/// to the right, its top row above.
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
  const vec3* pixels;    // radiance, without `strength`; null: there is no picture
  const float* rows;     // rows[y]: share of the light in rows 0..y; the last is 1
  const float* columns;  // columns[y * width + x]: share of the row's light in columns 0..x
  const float* heights;  // heights[y]: height of the top of row y on the unit sphere
  u32 width;
  u32 height;
  float strength;         // factor on the radiance
  vec3 right, up, ahead;  // in the scene; unit vectors at right angles
};

/// The sky: a picture, or a gradient with the strength multiplied in. `up` has length 1.
struct SkyView {
  vec3 up;
  vec3 zenith;  // zenith, horizon and ground: radiance
  vec3 horizon;
  vec3 ground;
  SkyMapView map;
  BC_HD bool has_map() const { return map.pixels != nullptr; }
};

/// A point of the picture, in pixels from its top left corner.
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

/// The pixel of a coordinate, within [0, size).
BC_HD inline u32 sky_pixel(float coordinate, u32 size) {
  return static_cast<u32>(clamp_to(coordinate, 0.0f, static_cast<float>(size) - 0.5f));
}

/// The radiance of the picture, interpolated between the middles of its pixels.
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

/// The density, per solid angle, with which chosen_sky_direction chooses a direction in this pixel.
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

/// One of several choices, whose intervals divide [0, 1], and a place in its interval.
struct Share {
  u32 index;
  float within;  // in [0, 1): 0 where the interval begins
};
/// The choice whose interval contains `choice`. The interval of choice i ends at cumulative[i].
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

/// A direction towards the sky, chosen in proportion to its light.
struct SkyChoice {
  vec3 direction;
  float density;  // per solid angle
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

/// The radiance of the sky in a direction of length 1.
BC_HD inline vec3 sky_radiance(const SkyView& sky, vec3 direction) {
  if (sky.has_map()) return sky_map_radiance(sky.map, direction);
  const float height = dot(direction, sky.up);
  if (height >= 0.0f) {
    const float rest = 1.0f - min_of(height, 1.0f);
    const float low = rest * rest * rest;
    return sky.zenith * (1.0f - low) + sky.horizon * low;
  }
  const float depth = min_of(-height * 12.0f, 1.0f);  // a narrow band blends from horizon to ground
  return sky.horizon * (1.0f - depth) + sky.ground * depth;
}

}  // namespace ballotcast::detail
