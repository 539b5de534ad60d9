// Metric mean: the mean absolute difference of the samples, in 255ths.
#include "compare/metrics/metric.hpp"
#include "compare/metrics/sums.hpp"

namespace ballotcast::detail {

double mean_error(const PicturePair& pair) {
  const ErrorSums sums = error_sums(pair);
  return static_cast<double>(sums.absolute) / static_cast<double>(sums.samples) /
         pair.steps_of_255th();
}

}  // namespace ballotcast::detail
