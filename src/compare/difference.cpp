#include "compare/difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "compare/metrics/metric.hpp"
#include "image/srgb.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kTwoPi = 6.28318530717958647692;

/// A colour map: colours that turn one and a half times around the grey axis while their perceived
/// brightness rises from 0 to 1 (D. A. Green, "A colour scheme for the display of astronomical
/// intensity images", Bulletin of the Astronomical Society of India 39, 2011; start 0.5, rotations
/// -1.5, hue 1, gamma 1).
Rgb8 heat_color(double value) {
  const double angle = kTwoPi * (0.5 / 3.0 + 1.0 - 1.5 * value);
  const double amplitude = value * (1.0 - value) / 2.0;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto code = [&](double of_cos, double of_sin) {
    return plain_code(static_cast<float>(value + amplitude * (of_cos * c + of_sin * s)));
  };
  return {code(-0.14861, 1.78277), code(-0.29227, -0.90649), code(1.97294, 0.0)};
}

}  // namespace

double full_amplification(const PicturePair& pair) {
  const double largest = largest_error(pair);
  return largest > 0.0 ? 255.0 / largest : 1.0;
}

Image<Rgb8> difference_picture(const PicturePair& pair, double factor) {
  Image<Rgb8> out{pair.width, pair.height, {}};
  out.pixels.reserve(pair.pixels());
  const double scale = factor / pair.steps_of_255th();
  for (u64 i = 0; i < pair.pixels(); ++i) {
    const auto difference = [&](u64 c) {
      return std::abs(pair.reference[4 * i + c] - pair.result[4 * i + c]);
    };
    const auto code = [&](int steps) {
      return static_cast<u8>(std::min(255.0, std::ceil(steps * scale)));
    };
    const int alpha = difference(3);
    out.pixels.push_back(
        {code(difference(0) + alpha), code(difference(1)), code(difference(2) + alpha)});
  }
  return out;
}

Image<Rgb8> heat_picture(const Plane<float>& map) {
  Image<Rgb8> out{map.width, map.height, {}};
  out.pixels.reserve(map.values.size());
  for (const float value : map.values)
    out.pixels.push_back(heat_color(clamp_to(value, 0.0f, 1.0f)));
  return out;
}

}  // namespace ballotcast::detail

namespace ballotcast {

Image<Rgb8> difference_picture(const SampledImage& reference, const SampledImage& result,
                               double factor) {
  const detail::PicturePair pair = detail::paired(reference, result, {});
  return detail::difference_picture(pair, factor > 0.0 ? factor : detail::full_amplification(pair));
}

}  // namespace ballotcast
