#include "compare/linear/tone_map.hpp"

#include <cmath>
#include <utility>

#include "image/exposure.hpp"
#include "image/srgb.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

float exposure_for(const LinearImage& image) {
  constexpr float kLeast = 1e-30f, kMost = 1e30f;
  std::vector<float> luminances;
  for (const Vec3f& pixel : image.pixels)
    if (const float value = luminance_of(pixel); value > 0.0f && std::isfinite(value))
      luminances.push_back(value);
  if (luminances.empty()) return 1.0f;
  return clamp_to(exposure_for(std::move(luminances)), kLeast, kMost);
}

Image<Rgb8> tone_mapped(const LinearImage& image, float exposure) {
  const float* const thresholds = srgb_threshold_table().data();
  const auto code = [&](float value) { return srgb_code(roll_off(value * exposure), thresholds); };
  Image<Rgb8> out{image.width, image.height, {}};
  out.pixels.reserve(image.pixels.size());
  for (const Vec3f& pixel : image.pixels)
    out.pixels.push_back({code(pixel.x), code(pixel.y), code(pixel.z)});
  return out;
}

}  // namespace ballotcast::detail
