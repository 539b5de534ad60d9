// Strategy flag-store: a vote of the block and a plain store; no atomic.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// To know whether any ray staged a leaf, one bit is enough, and no sum is needed. Thread 0 of a
/// block that voted yes stores a 1 in the counter, unless the counter is 1 already. All blocks
/// store the same value, so no atomic is needed. Cost: one barrier, at most one load and at most
/// one store per block.
struct FlagStore {
  static constexpr StrategyInfo info{"flag-store", Use::report, CounterMeaning::any,
                                     AtomicsPer::none,
                                     "a barrier that votes and a plain store, no atomic"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const bool any = lane.block_or(staged);
    if (any && lane.thread() == 0u && lane.load(counter.value) == 0u) lane.store(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
