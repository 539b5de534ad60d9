// Slots for a whole block with one atomic: shared by the block strategies.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast {

/// What `reserve_by_scan` keeps in shared memory.
struct BlockScan {
  u32 ayes[kMostWarps];  // a warp's number of lanes that want a slot
  u32 base;              // the block's first slot
};

/// Gives each lane that wants one a slot, in the order of the block's threads. Every lane calls it,
/// once a launch. Cost: one atomic a block that wants any, two barriers.
template <class Lane>
BC_DEVICE u32 reserve_by_scan(Lane& lane, BlockScan& shared, CounterView counter, bool wanted) {
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

}  // namespace ballotcast
