#include "image/exposure.hpp"

#include <algorithm>
#include <cstddef>

namespace ballotcast::detail {

float exposure_for(std::vector<float> luminances) {
  constexpr float kTarget = 0.5f;
  const auto bright = luminances.begin() + static_cast<std::ptrdiff_t>(luminances.size() * 3 / 4);
  std::nth_element(luminances.begin(), bright, luminances.end());
  return kTarget / *bright;
}

}  // namespace ballotcast::detail
