// The filters of FLIP: what an eye can't tell apart is blurred, edges and points are looked for.
#pragma once

#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Weights along one axis, all 2 * radius + 1 long. A filter in the plane is the product of one
/// along each axis; the one of blue and yellow is a sum of two such products.
struct FlipFilters {
  u32 radius;
  std::vector<float> achromatic;
  std::vector<float> red_green;
  std::vector<float> blue_yellow_narrow, blue_yellow_wide;
  float narrow_share;  // of the sum; the wide one has the rest

  std::vector<float> smooth;  // Gaussian of the features' width
  std::vector<float> edge;    // its first derivative
  std::vector<float> point;   // its second derivative
};

/// The filters for a number of pixels a degree of the eye's view.
FlipFilters flip_filters(double pixels_per_degree);

}  // namespace ballotcast::detail
