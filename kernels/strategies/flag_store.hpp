// A vote of the whole block, no atomic.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Who only asks whether anything is staged needs no sum: one thread of a block that voted aye
/// stores a 1 unless it is there already. All who store, store the same. Cost: at most one load and
/// one store a block, one barrier.
struct FlagStore {
  static constexpr StrategyInfo info{"flag-store", Use::report, Counts::any, AtomicsPer::none,
                                     "a barrier that votes and a plain store, no atomic"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const bool any = lane.block_or(staged);
    if (any && lane.thread() == 0u && lane.load(counter.value) == 0u) lane.store(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
