// The exposure that suits a picture.
#pragma once

#include <vector>

namespace ballotcast::detail {

/// The factor that makes the upper quartile of these luminances 0.5, a light grey. They must be
/// above 0, and there must be at least one.
float exposure_for(std::vector<float> luminances);

}  // namespace ballotcast::detail
