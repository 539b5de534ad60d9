// One atomic a warp, by hand.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The warp votes; its first lane adds the number of ayes (A. Adinets, CUDA Pro Tip: Optimized
/// Filtering with Warp-Aggregated Atomics, 2014). Cost: at most one atomic a warp.
struct WarpBallot {
  static constexpr StrategyInfo info{"warp-ballot", Use::both, Counts::rays, AtomicsPer::warp,
                                     "one ballot and at most one atomic a warp"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const u32 ayes = lane.ballot(staged);
    if (lane.lane() == 0u && ayes != 0u) lane.fetch_add(counter.value, count_bits(ayes));
  }

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared&, CounterView counter, bool wanted) {
    const u32 ayes = lane.ballot(wanted);
    u32 base = 0;
    if (lane.lane() == 0u && ayes != 0u) base = lane.fetch_add(counter.value, count_bits(ayes));
    return lane.shuffle(base, 0u) + count_bits(ayes & lane.lanes_below());
  }
};

}  // namespace ballotcast::detail
