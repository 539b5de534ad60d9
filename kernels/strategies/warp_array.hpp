// Strategy warp-array: one shared word per lane; one atomic per warp.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane writes its own word; the warp synchronises; the warp's first lane adds up the 32
/// words. This strategy shows the cost of counting without the ballot instruction. Cost: at most
/// one atomic per warp, 32 words written to shared memory and 32 read.
struct WarpArray {
  static constexpr StrategyInfo info{"warp-array", Use::report, CounterMeaning::rays,
                                     AtomicsPer::warp,
                                     "one shared word per lane and at most one atomic per warp"};
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
