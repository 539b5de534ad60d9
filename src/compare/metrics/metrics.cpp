#include <array>
#include <limits>
#include <vector>

#include "compare/metrics/metric.hpp"
#include "support/type_list.hpp"

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
