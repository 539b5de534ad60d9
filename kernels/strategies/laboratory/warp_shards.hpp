// Strategy warp-shards: one ballot and one atomic per warp, spread over many counters.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// A counter that is the sum of several words, its shards, kShardStride words apart. `shards`: the
/// number of shards, a power of two up to kMostShards.
struct ShardedCounter {
  CounterView words;
  u32 shards;

  /// The shard for the warp with this number in the grid.
  BC_HD u32* of_warp(u32 warp) const { return words.value + (warp & (shards - 1u)) * kShardStride; }
};

/// The warp votes, and its first lane adds the number of yes votes to one of the shards, which are
/// added up after the kernel. Cost: at most one atomic per warp, and no barrier.
struct WarpShards {
  static constexpr StrategyInfo info{"warp-shards",
                                     Use::report,
                                     CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "one ballot and one atomic per warp, spread over 64 counters",
                                     kMostShards};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    report(lane, shared, ShardedCounter{counter, kMostShards}, staged);
  }

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, ShardedCounter counter, bool staged) {
    const u32 ayes = lane.ballot(staged);
    if (lane.lane() == 0u && ayes != 0u)
      lane.fetch_add(counter.of_warp(lane.id() / kWarpSize), count_bits(ayes));
  }

  /// Reports a number per lane instead of a bit: the warp adds the numbers up by a reduction.
  template <class Lane>
  BC_DEVICE static void report_sum(Lane& lane, ShardedCounter counter, u32 number) {
    const u32 sum = lane.reduce_add(number);
    if (lane.lane() == 0u && sum != 0u) lane.fetch_add(counter.of_warp(lane.id() / kWarpSize), sum);
  }
};

}  // namespace ballotcast::detail
