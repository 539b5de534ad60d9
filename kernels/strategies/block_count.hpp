// Strategy block-count: a barrier counts the lanes of the block that staged a leaf (see
// strategy.hpp); at most one atomic per block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The barrier itself counts the lanes that staged a leaf (__syncthreads_count). Cost: one barrier
/// and at most one atomic per block.
struct BlockCount {
  static constexpr StrategyInfo info{"block-count", Use::report, CounterMeaning::rays,
                                     AtomicsPer::block,
                                     "a barrier that counts, and at most one atomic per block"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const u32 count = lane.block_count(staged);
    if (count != 0u && lane.thread() == 0u) lane.fetch_add(counter.value, count);
  }
};

}  // namespace ballotcast::detail
