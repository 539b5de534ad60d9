// Counts differing hits. Benchmarks do this before they show a time.
#pragma once

#include <vector>

#include "math/ray.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

/// The number of indices i for which differ(a[i], b[i]) is true. `b` must be at least as long as
/// `a`.
template <class Differ>
u64 count_different(const std::vector<Hit>& a, const std::vector<Hit>& b, Differ differ) {
  return reduce_ranges<std::size_t>(
      0, a.size(), 65536, u64{0},
      [&](std::size_t begin, std::size_t end, u64 count) {
        for (std::size_t i = begin; i < end; ++i) count += differ(a[i], b[i]);
        return count;
      },
      [](u64 x, u64 y) { return x + y; });
}

/// The number of hits that differ in at least one bit.
inline u64 count_different(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  return count_different(a, b, [](const Hit& x, const Hit& y) { return !same_bits(x, y); });
}

}  // namespace ballotcast::detail
