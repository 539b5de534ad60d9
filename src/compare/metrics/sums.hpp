// Sums over the differences of samples. Several metrics use them.
#pragma once

#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// The number of compared samples, and sums over their differences. A difference of 1 is one step
/// of a sample. The sums are exact: 2^32 samples of 16 bits do not overflow them.
struct ErrorSums {
  u64 samples = 0;
  u64 absolute = 0;
  u64 squares = 0;
};

ErrorSums error_sums(const PicturePair& pair);

}  // namespace ballotcast::detail
