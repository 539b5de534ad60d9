// Metric psnr: the peak signal to noise ratio, 20 log10(255 / rms) dB; infinite for equal pictures.
#include <cmath>
#include <limits>

#include "compare/metrics/metric.hpp"

namespace ballotcast::detail {

double psnr(const PicturePair& pair) {
  const double rms = rms_error(pair);
  return rms == 0.0 ? std::numeric_limits<double>::infinity() : 20.0 * std::log10(255.0 / rms);
}

}  // namespace ballotcast::detail
