#include "compare/linear.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "image/color.hpp"
#include "math/vec.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

// The 0.01 in the denominator of relmse, as in Rousselle et al. (2011)
constexpr double kRelativeFloor = 0.01;

using Numbers = std::array<double, 3>;

Numbers numbers_of(const Vec3f& pixel) { return {pixel.x, pixel.y, pixel.z}; }

double relative_difference(const Numbers& a, const Numbers& b) {
  double most = 0.0, difference = 0.0;
  for (std::size_t c = 0; c < 3; ++c) {
    most = std::max({most, std::abs(a[c]), std::abs(b[c])});
    difference = std::max(difference, std::abs(a[c] - b[c]));
  }
  return most > 0.0 ? difference / most : 0.0;
}

/// Two pictures, and which of their pixels count.
struct Pair {
  const LinearImage& reference;
  const LinearImage& result;
  const std::vector<bool>& left_out;

  bool is_usable(u64 i) const {
    return !left_out[i] && is_finite(reference.pixels[i]) && is_finite(result.pixels[i]);
  }
};

/// The means of the three numbers over the compared pixels of a block, in both pictures; nothing if
/// all pixels are left out.
std::optional<LinearBlock> means_of(const Pair& pair, u32 x, u32 y, u32 width, u32 height) {
  LinearBlock block{x, y, width, height, {}, {}};
  u64 count = 0;
  for (u32 row = y; row < y + height; ++row)
    for (u32 column = x; column < x + width; ++column) {
      const u64 i = u64{row} * pair.reference.width + column;
      if (!pair.is_usable(i)) continue;
      ++count;
      const Numbers a = numbers_of(pair.reference.pixels[i]), b = numbers_of(pair.result.pixels[i]);
      for (std::size_t c = 0; c < 3; ++c) block.reference[c] += a[c], block.result[c] += b[c];
    }
  if (count == 0) return std::nullopt;
  for (std::size_t c = 0; c < 3; ++c) {
    block.reference[c] /= static_cast<double>(count);
    block.result[c] /= static_cast<double>(count);
  }
  return block;
}

void compare_blocks(LinearComparison& out, const Pair& pair, u32 side) {
  const u32 width = std::min(side, pair.reference.width);
  const u32 height = std::min(side, pair.reference.height);
  for (u64 top = 0; top < pair.reference.height; top += height)
    for (u64 left = 0; left < pair.reference.width; left += width) {
      const u32 x = std::min(static_cast<u32>(left), pair.reference.width - width);
      const u32 y = std::min(static_cast<u32>(top), pair.reference.height - height);
      const auto block = means_of(pair, x, y, width, height);
      if (!block) continue;
      const double difference = relative_difference(block->reference, block->result);
      if (!(difference > out.block)) continue;
      out.block = difference;
      out.worst_block = block;
    }
}

/// The part of `image` with this width and height (in pixels) at its top left corner.
LinearImage corner_of(const LinearImage& image, u32 width, u32 height) {
  LinearImage corner{width, height, {}};
  corner.pixels.reserve(u64{width} * height);
  for (u64 y = 0; y < height; ++y) {
    const auto row = image.pixels.begin() + static_cast<std::ptrdiff_t>(y * image.width);
    corner.pixels.insert(corner.pixels.end(), row, row + width);
  }
  return corner;
}

}  // namespace

LinearComparison compare_linear(const LinearImage& reference, const LinearImage& result,
                                const std::vector<bool>& left_out, u32 block_side) {
  if (reference.width != result.width || reference.height != result.height) {
    const u32 width = std::min(reference.width, result.width);
    const u32 height = std::min(reference.height, result.height);
    return compare_linear(corner_of(reference, width, height), corner_of(result, width, height),
                          left_out, block_side);
  }
  const Pair pair{reference, result, left_out};
  LinearComparison out;
  out.block_side = block_side;
  double squares = 0.0, relative = 0.0;
  u64 used = 0;
  for (u64 i = 0; i < reference.pixels.size(); ++i) {
    if (left_out[i]) continue;
    const Vec3f &a = reference.pixels[i], &b = result.pixels[i];
    ++out.pixels;
    const bool differs = std::memcmp(&a, &b, sizeof a) != 0;
    out.different += differs;
    if (!pair.is_usable(i)) {
      ++out.not_finite;
      out.not_finite_different += differs;
      continue;
    }
    ++used;
    const Numbers from = numbers_of(a), to = numbers_of(b);
    for (std::size_t c = 0; c < 3; ++c) {
      const double square = (to[c] - from[c]) * (to[c] - from[c]);
      squares += square;
      relative += square / (from[c] * from[c] + kRelativeFloor);
    }
    const double difference = relative_difference(from, to);
    if (!(difference > out.max)) continue;
    out.max = difference;
    out.worst_pixel = LinearBlock{static_cast<u32>(i % reference.width),
                                  static_cast<u32>(i / reference.width),
                                  1,
                                  1,
                                  from,
                                  to};
  }
  const double numbers = 3.0 * static_cast<double>(std::max(used, u64{1}));
  out.rms = std::sqrt(squares / numbers);
  out.relmse = relative / numbers;
  compare_blocks(out, pair, block_side);
  return out;
}

const std::array<LinearMetric, 4>& linear_metrics() {
  static constexpr std::array<LinearMetric, 4> table = {{
      {"rms", "root mean square of the differences", &LinearComparison::rms},
      {"relmse", "mean of difference^2 / (reference^2 + 0.01)", &LinearComparison::relmse},
      {"max", "largest relative difference of a pixel", &LinearComparison::max},
      {"block", "largest relative difference of the means of a block", &LinearComparison::block},
  }};
  return table;
}

const LinearMetric& linear_metric_called(std::string_view name) {
  for (const LinearMetric& metric : linear_metrics())
    if (metric.name == name) return metric;
  throw_unknown("linear number", name, names_of(linear_metrics()));
}

std::vector<JudgedLimit> judged(const LinearComparison& comparison,
                                const std::vector<LinearLimit>& limits) {
  std::vector<JudgedLimit> all;
  for (const LinearLimit& limit : limits) {
    const double value = comparison.*limit.metric->value;
    all.push_back({"linear " + std::string(limit.metric->name), true, limit.most, value,
                   value <= limit.most && comparison.not_finite_different == 0});
  }
  return all;
}

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
