// Strategy warp-ballot: one ballot and one atomic per warp, written by hand.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The warp votes, and its first lane adds the number of yes votes (A. Adinets, CUDA Pro Tip:
/// Optimized Filtering with Warp-Aggregated Atomics, 2014). Cost: at most one atomic per warp.
///
///   lane            0  1  2  3  4  5  6  7      (drawn with 8 of the 32 lanes)
///   staged          .  x  x  .  .  x  .  .
///   ayes            0b00100110                  the ballot; every lane gets the same mask
///   counter         fetch_add(counter, 3)       first lane only; 3 = number of set bits
///   slot - base        0  1        2            for `reserve`: the number of set bits in lower
///                                               lanes; base = the counter before the addition
struct WarpBallot {
  static constexpr StrategyInfo info{"warp-ballot", Use::both, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "one ballot and at most one atomic per warp"};
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
