// What there is to say about how two pictures differ.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "compare/metrics/metric.hpp"
#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// Differences that pixels are counted beyond, in 255ths: more than 0, more than 1, and so on.
inline constexpr std::array<u32, 8> kCountedDifferences = {0, 1, 2, 4, 8, 16, 32, 64};

/// A pixel and what both pictures have there, as RGBA from 0 to largest.
struct WorstPixel {
  u32 x, y;
  std::array<u16, 4> reference, result;
};

/// A metric's value for two pictures; NaN where it isn't defined for them.
struct MetricValue {
  const Metric* metric;
  double value;
};

/// How two pictures differ, left-out pixels apart.
struct Comparison {
  u32 width = 0, height = 0;
  u16 largest = 255;        // 65535 where either picture has 16 bits: a step is one of these
  u64 pixels = 0;           // compared
  u64 left_out = 0;         // pixels, by CompareOptions::allow
  bool same = true;         // every sample of every channel, alpha included
  u64 different = 0;        // pixels
  u64 color_different = 0;  // pixels whose colour differs
  u64 alpha_different = 0;  // pixels whose alpha differs
  u32 max_error = 0;        // largest difference of a sample, in steps
  std::optional<WorstPixel> worst;  // the first in reading order that has it; none if same
  std::array<u64, kCountedDifferences.size()> over{};  // pixels, as kCountedDifferences has it
  std::vector<MetricValue> values;                     // one a row of metrics()

  double percent_different() const {
    return 100.0 * static_cast<double>(different) / static_cast<double>(pixels);
  }
};

/// Compares two pictures brought to one form.
Comparison compare(const PicturePair& pair);

/// Compares two pictures. Throws as paired() does.
Comparison compare(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options = {});

}  // namespace ballotcast::detail
