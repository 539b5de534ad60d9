// Functions for metrics. A metric is one function and one row in metrics.cpp; the type of the rows,
// Metric, is public. FLIP is also available as a map of all pixels.
#pragma once

#include <span>
#include <string_view>

#include "compare/picture_pair.hpp"
#include "compare/plane.hpp"

namespace ballotcast::detail {

double mean_error(const PicturePair& pair);
double rms_error(const PicturePair& pair);
double largest_error(const PicturePair& pair);
double psnr(const PicturePair& pair);
double ssim(const PicturePair& pair);
double flip(const PicturePair& pair);

/// The default number of pixels per degree of the field of view: that of a screen 0.7 m wide with
/// 3840 pixels, seen from 0.7 m.
inline constexpr double kPixelsPerDegree = 0.7 * (3840 / 0.7) * (3.14159265358979323846 / 180.0);

/// The LDR-FLIP map of a pair: how visible the difference of each pixel is, from 0 (not at all) to
/// 1. Left-out pixels are 0. Pictures with alpha are compared over black and over white, and each
/// pixel gets the larger of its two values.
Plane<float> flip_map(const PicturePair& pair, double pixels_per_degree = kPixelsPerDegree);

}  // namespace ballotcast::detail
