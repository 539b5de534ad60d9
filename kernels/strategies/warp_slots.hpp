// Strategy warp-slots: one shared word per warp; one atomic per block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each warp votes and writes its number of yes votes; barrier; the first warp adds the numbers up.
/// Cost: one barrier and at most one atomic per block.
struct WarpSlots {
  static constexpr StrategyInfo info{"warp-slots", Use::report, CounterMeaning::rays,
                                     AtomicsPer::block,
                                     "one ballot per warp, summed to at most one atomic per block"};
  struct Shared {
    u32 ayes[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    const u32 ayes = count_bits(lane.ballot(staged));
    if (lane.lane() == 0u) shared.ayes[lane.warp()] = ayes;
    lane.sync_block();
    if (lane.warp() != 0u) return;
    const bool mine = lane.lane() < lane.block_size() / kWarpSize;
    const u32 count = lane.reduce_add(mine ? shared.ayes[lane.lane()] : 0u);
    if (count != 0u && lane.lane() == 0u) lane.fetch_add(counter.value, count);
  }
};

}  // namespace ballotcast::detail
