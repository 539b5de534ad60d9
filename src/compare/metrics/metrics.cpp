// The table of metrics, and those metrics that are sums over the differences of samples.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "compare/metrics/metric.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// The number of compared samples, and sums over their differences. A difference of 1 is one step
/// of a sample. The sums are exact: 2^32 samples of 16 bits do not overflow them.
struct ErrorSums {
  u64 samples = 0;
  u64 absolute = 0;
  u64 squares = 0;
};

ErrorSums error_sums(const PicturePair& pair) {
  // Left-out pixels add nothing, because they are equal in both pictures.
  ErrorSums sums;
  sums.samples = pair.compared() * pair.channels();
  for (std::size_t i = 0; i < pair.reference.size(); ++i) {
    const i32 difference = i32{pair.result[i]} - i32{pair.reference[i]};
    const u64 size = static_cast<u64>(difference < 0 ? -difference : difference);
    sums.absolute += size;
    sums.squares += size * size;
  }
  return sums;
}

}  // namespace

/// Metric mean: the mean absolute difference of the samples, in 255ths.
double mean_error(const PicturePair& pair) {
  const ErrorSums sums = error_sums(pair);
  return static_cast<double>(sums.absolute) / static_cast<double>(sums.samples) /
         pair.steps_of_255th();
}

/// Metric rms: the square root of the mean squared difference of the samples, in 255ths.
double rms_error(const PicturePair& pair) {
  const ErrorSums sums = error_sums(pair);
  return std::sqrt(static_cast<double>(sums.squares) / static_cast<double>(sums.samples)) /
         pair.steps_of_255th();
}

/// Metric max: the largest difference of a sample, in 255ths; a fraction if samples have 16 bits.
double largest_error(const PicturePair& pair) {
  i32 largest = 0;
  for (std::size_t i = 0; i < pair.reference.size(); ++i) {
    const i32 difference = i32{pair.result[i]} - i32{pair.reference[i]};
    largest = std::max(largest, difference < 0 ? -difference : difference);
  }
  return static_cast<double>(largest) / pair.steps_of_255th();
}

/// Metric psnr: the peak signal to noise ratio, 20 log10(255 / rms) dB; infinite for equal
/// pictures.
double psnr(const PicturePair& pair) {
  const double rms = rms_error(pair);
  return rms == 0.0 ? std::numeric_limits<double>::infinity() : 20.0 * std::log10(255.0 / rms);
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

Span<const Metric> metrics() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::array<Metric, 6> table = {{
      {"mean", "mean of the samples' differences", "of 255", true, 0.0, 255.0, mean_error},
      {"rms", "root of the mean of their squares", "of 255", true, 0.0, 255.0, rms_error},
      {"max", "the largest difference of a sample", "of 255", true, 0.0, 255.0, largest_error},
      {"psnr", "peak signal to noise ratio", "dB", false, 0.0, kInfinity, psnr},
      {"ssim", "structural similarity of the luma", "", false, -1.0, 1.0, ssim},
      {"flip", "how much an eye sees when the two alternate", "", true, 0.0, 1.0, flip},
  }};
  return table;
}

const Metric& metric_called(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Metric& metric : metrics()) {
    if (metric.name == name) return metric;
    names.push_back(metric.name);
  }
  throw_unknown("metric", name, names);
}

}  // namespace ballotcast
