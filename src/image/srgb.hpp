// The sRGB transfer function (IEC 61966-2-1) as tables, so that the result does not depend on a
// machine's pow.
#pragma once

#include <array>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The linear value of an sRGB value, both from 0 to 1. Has the same bits on every machine.
double srgb_to_linear(double encoded);

/// The linear value of each of the 256 sRGB codes.
const std::array<float, 256>& srgb_to_linear_table();

/// thresholds[k] is the smallest linear value whose sRGB code is at least k. thresholds[0] is 0.
const std::array<float, 256>& srgb_threshold_table();

/// The 8-bit sRGB code of a linear value: the largest k with thresholds[k] <= value. NaN and
/// negative values give 0, values above 1 give 255.
BC_HD inline u8 srgb_code(float linear, const float* thresholds) {
  u32 code = 0;
  for (u32 step = 128; step != 0; step >>= 1)
    if (linear >= thresholds[code + step]) code += step;
  return static_cast<u8>(code);
}

/// Compresses highlights instead of clipping them: values up to 0.6 stay the same; larger ones
/// approach 1 smoothly and never exceed it. NaN and negative values give 0.
BC_HD inline float roll_off(float linear) {
  constexpr float kKnee = 0.6f;
  const float value = clamp_to(linear, 0.0f, 1.0e18f);
  if (!(value > kKnee)) return value;
  const float over = (value - kKnee) / (1.0f - kKnee);
  return kKnee + (1.0f - kKnee) * (over / (1.0f + over));
}

/// The 8-bit code of a value without transfer function: round(255 * clamp(value, 0, 1)).
BC_HD inline u8 plain_code(float value) {
  return static_cast<u8>(clamp_to(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

}  // namespace ballotcast::detail
