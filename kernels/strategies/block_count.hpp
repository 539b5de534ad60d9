// A count of the whole block, one atomic a block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The barrier counts (__syncthreads_count), so that the number is exact. Cost: at most one atomic
/// a block, one barrier.
struct BlockCount {
  static constexpr StrategyInfo info{"block-count", Use::report, Counts::rays, AtomicsPer::block,
                                     "a barrier that counts and at most one atomic a block"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const u32 count = lane.block_count(staged);
    if (count != 0u && lane.thread() == 0u) lane.fetch_add(counter.value, count);
  }
};

}  // namespace ballotcast::detail
