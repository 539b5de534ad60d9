// The filters of FLIP: they blur what an eye can't resolve, and they detect edges and points.
#pragma once

#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Weights along one axis; each list has 2 * radius + 1 of them. A two-dimensional filter is the
/// product of one list along each axis; the blue-yellow filter is a sum of two such products.
struct FlipFilters {
  u32 radius;
  std::vector<float> achromatic;
  std::vector<float> red_green;
  std::vector<float> blue_yellow_narrow, blue_yellow_wide;
  float narrow_share;  // share of the narrow filter in the sum; the wide one has the rest

  std::vector<float> smooth;  // Gaussian of the features' width
  std::vector<float> edge;    // its first derivative
  std::vector<float> point;   // its second derivative
};

/// The filters for a number of pixels per degree of the field of view.
FlipFilters flip_filters(double pixels_per_degree);

}  // namespace ballotcast::detail
