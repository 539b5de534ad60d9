// Strategy warp-queues: reserves slots in one of many queues, by one atomic per warp.
#pragma once

#include "kernels/strategies/laboratory/warp_shards.hpp"

namespace ballotcast::detail {

/// Many queues, one behind the other in memory, each with its own counter.
struct ManyQueues {
  ShardedCounter counters;
  u32 room;  // capacity of each queue
};

/// The warp votes, and its first lane reserves a slot for each yes vote in one of the queues. Each
/// queue is filled without gaps, but there are gaps between the queues. Cost: at most one atomic
/// per warp, and no barrier.
struct WarpQueues {
  static constexpr StrategyInfo info{"warp-queues", Use::reserve, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "as warp-shards, with a queue for each counter"};
  struct Shared {};

  /// Returns the index of the slot in the memory of all queues.
  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared&, ManyQueues queues, bool wanted) {
    const u32 warp = lane.id() / kWarpSize;
    const u32 ayes = lane.ballot(wanted);
    u32 base = 0;
    if (lane.lane() == 0u && ayes != 0u)
      base = lane.fetch_add(queues.counters.of_warp(warp), count_bits(ayes));
    return (warp & (queues.counters.shards - 1u)) * queues.room + lane.shuffle(base, 0u) +
           count_bits(ayes & lane.lanes_below());
  }
};

}  // namespace ballotcast::detail
