// FLIP, pixel by pixel.
#pragma once

#include "compare/picture_pair.hpp"
#include "compare/plane.hpp"

namespace ballotcast::detail {

/// Pixels a degree of the eye's view: 0.7 m from a screen 0.7 m wide of 3840 pixels.
inline constexpr double kPixelsPerDegree = 0.7 * (3840 / 0.7) * (3.14159265358979323846 / 180.0);

/// The LDR-FLIP map of a pair: for each pixel how much an eye sees, from 0 nothing to 1 the most.
/// Left out pixels are 0. Of pictures with alpha, seen over black and over white, each pixel's
/// larger value counts.
Plane<float> flip_map(const PicturePair& pair, double pixels_per_degree = kPixelsPerDegree);

}  // namespace ballotcast::detail
