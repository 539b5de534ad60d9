// Colours that files give to vertices.
#pragma once

#include "image/color.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The warning about colours that are brought into their range.
inline constexpr const char* kColorsOutOfRange =
    "colours of vertices that are not numbers from 0 to 1, brought into that range";

/// A number from a file, from 0 to 1. If it lies outside or is NaN, sets `fits` to false.
inline double unit_number(double value, bool& fits) {
  if (value >= 0.0 && value <= 1.0) return value;
  fits = false;
  return value < 0.0 ? 0.0 : 1.0;
}

/// The linear form of an sRGB colour from 0 to 1. If it lies outside, sets `fits` to false.
inline vec3 linear_vertex_color(dvec3 srgb, bool& fits) {
  return vec3(dvec3(srgb_to_linear(unit_number(srgb.x, fits)),
                    srgb_to_linear(unit_number(srgb.y, fits)),
                    srgb_to_linear(unit_number(srgb.z, fits))));
}

}  // namespace ballotcast::detail
