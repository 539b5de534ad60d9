// Strategy block-scan: one atomic reserves the queue slots of a whole block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each warp votes by ballot. Thread 0 adds up the votes of all warps and reserves that many slots
/// with one atomic. The slots go to the lanes in the order of the block's threads. Cost: two
/// barriers per block, and one atomic per block in which a lane wants a slot.
///
///   warp             0            1            2         (drawn with 4 lanes per warp)
///   wanted      .  x  x  .   .  .  .  x   x  x  .  .
///   ayes             2            1            2         shared.ayes, from one ballot per warp
///   base = fetch_add(counter, 2 + 1 + 2)                 thread 0
///   slot - base    0  1               2   3  4           ayes of the warps before this warp
///                                                        + lower lanes of this warp that want one
struct BlockScan {
  static constexpr StrategyInfo info{"block-scan", Use::reserve, CounterMeaning::rays,
                                     AtomicsPer::block,
                                     "a scan of ballots, and at most one atomic per block"};
  struct Shared {
    u32 ayes[kMostWarps];  // number of lanes that want a slot, per warp
    u32 base;              // the block's first slot
  };

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared& shared, CounterView counter, bool wanted) {
    const u32 ayes = lane.ballot(wanted);
    if (lane.lane() == 0u) shared.ayes[lane.warp()] = count_bits(ayes);
    lane.sync_block();
    const u32 warps = lane.block_size() / kWarpSize;
    if (lane.thread() == 0u) {
      u32 total = 0;
      for (u32 w = 0; w < warps; ++w) total += shared.ayes[w];
      shared.base = total != 0u ? lane.fetch_add(counter.value, total) : 0u;
    }
    u32 below = count_bits(ayes & lane.lanes_below());
    for (u32 w = 0; w < lane.warp(); ++w) below += shared.ayes[w];
    lane.sync_block();
    return shared.base + below;
  }
};

}  // namespace ballotcast::detail
