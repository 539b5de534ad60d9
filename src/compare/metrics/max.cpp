// Metric max: the largest difference of a sample, in 255ths; a fraction if samples have 16 bits.
#include <algorithm>

#include "compare/metrics/metric.hpp"

namespace ballotcast::detail {

double largest_error(const PicturePair& pair) {
  i32 largest = 0;
  for (std::size_t i = 0; i < pair.reference.size(); ++i) {
    const i32 difference = i32{pair.result[i]} - i32{pair.reference[i]};
    largest = std::max(largest, difference < 0 ? -difference : difference);
  }
  return static_cast<double>(largest) / pair.steps_of_255th();
}

}  // namespace ballotcast::detail
