// Slots for a whole block with one atomic.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each warp votes, the block adds its warps' ayes up and takes that many slots at once; they are
/// given out in the order of the block's threads. Cost: one atomic a block that wants any, two
/// barriers.
struct BlockScan {
  static constexpr StrategyInfo info{"block-scan", Use::reserve, Counts::rays, AtomicsPer::block,
                                     "a scan of ballots and at most one atomic a block"};
  struct Shared {
    u32 ayes[kMostWarps];  // a warp's number of lanes that want a slot
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
