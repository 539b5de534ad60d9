#include "compare/metrics/sums.hpp"

namespace ballotcast::detail {

ErrorSums error_sums(const PicturePair& pair) {
  // Left-out pixels differ by 0.
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

}  // namespace ballotcast::detail
