// Metric rms: the square root of the mean squared difference of the samples, in 255ths.
#include <cmath>

#include "compare/metrics/metric.hpp"
#include "compare/metrics/sums.hpp"

namespace ballotcast::detail {

double rms_error(const PicturePair& pair) {
  const ErrorSums sums = error_sums(pair);
  return std::sqrt(static_cast<double>(sums.squares) / static_cast<double>(sums.samples)) /
         pair.steps_of_255th();
}

}  // namespace ballotcast::detail
