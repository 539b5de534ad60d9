// A word a lane in shared memory, one atomic a warp.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane writes its own word, the warp waits, its first lane adds up the warp's 32 words. What
/// a ballot does in one instruction, done by hand: for machines without one. Cost: at most one
/// atomic a warp, 33 shared accesses.
struct WarpArray {
  static constexpr StrategyInfo info{"warp-array", Use::report, Counts::rays, AtomicsPer::warp,
                                     "a shared word a lane and at most one atomic a warp"};
  struct Shared {
    u32 staged[kLargestBlock];
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    shared.staged[lane.thread()] = staged ? 1u : 0u;
    lane.sync_warp();
    if (lane.lane() != 0u) return;
    u32 count = 0;
    for (u32 i = 0; i < kWarpSize; ++i) count += shared.staged[lane.thread() + i];
    if (count != 0u) lane.fetch_add(counter.value, count);
  }
};

}  // namespace ballotcast::detail
