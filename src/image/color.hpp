// Colours of pictures: the sRGB transfer function (IEC 61966-2-1) as tables, so that the result
// does not depend on the system's pow; automatic exposure; and white balance, which says which
// colour of light is shown as white.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "math/portable.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The linear value of an sRGB value; both are from 0 to 1. The result has the same bits on every
/// machine.
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

/// The 8-bit code of a value without a transfer function: round(255 * clamp(value, 0, 1)).
BC_HD inline u8 plain_code(float value) {
  return static_cast<u8>(clamp_to(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

/// The factor that makes the upper quartile of these luminances 0.5, a light grey. All luminances
/// must be above 0, and there must be at least one.
float exposure_for(std::vector<float> luminances);

/// A linear map of linear RGB colours, stored row by row. The default is the identity.
struct ColorMatrix {
  vec3 red{1.0f, 0.0f, 0.0f};
  vec3 green{0.0f, 1.0f, 0.0f};
  vec3 blue{0.0f, 0.0f, 1.0f};

  BC_HD vec3 of(vec3 c) const { return vec3(dot(red, c), dot(green, c), dot(blue, c)); }
};

/// A white balance setting.
struct WhiteBalance {
  enum class Kind { from_lights, none, kelvin };
  Kind kind = Kind::from_lights;
  double kelvin = 0.0;  // if the kind is `kelvin`: the colour temperature that is shown as white
};

/// The range of colour temperatures.
inline constexpr double kLeastKelvin = 1000.0, kMostKelvin = 40000.0;

/// The allowed values of a white balance, for messages.
inline constexpr std::string_view kWhiteBalances =
    "auto, none, or a colour temperature from 1000 to 40000 (kelvin)";

/// Parses a white balance. Returns nothing unless `text` is one of kWhiteBalances.
std::optional<WhiteBalance> white_balance_in(std::string_view text);

/// The colour of light of a temperature from kLeastKelvin to kMostKelvin, as linear RGB with
/// luminance 1. Up to 4000 K it is the light of a black body, from 5000 K on it is daylight, and in
/// between a mixture of both. So 6504 K, the white of sRGB, is white. Components may be negative.
dvec3 color_of_kelvin(double kelvin);

/// The luminance of a linear colour, in double precision.
double luminance_of(dvec3 color);

/// A mixture of white (share 0) and `light` (share 1), with luminance 1. The share is reduced if
/// `light` is more saturated than a candle or the sky, so that coloured light stays coloured.
/// Returns white if `light` has no luminance.
dvec3 toward_light(dvec3 light, double share);

/// The map that turns light of the colour `white` into a neutral grey of the same luminance. It
/// multiplies the responses of the three kinds of cones of the eye (J. von Kries, 1902), in the
/// form that the CIE's colour appearance model of 1997 took from K. Lam, Metamerism and Colour
/// Constancy, 1985 ("Bradford transform"). `white` must have a luminance above 0.
ColorMatrix balance_for(dvec3 white);

}  // namespace ballotcast::detail
