// Strategy sharded: one atomic per lane, spread over many counters.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// As naive, but the warps are spread over kMostShards counters, each on a cache line of its own.
/// The reader adds the counters up. Cost: up to 32 atomics per warp; the warps that share one
/// address are 1 in kMostShards.
struct Sharded {
  static constexpr StrategyInfo info{"sharded",
                                     Use::report,
                                     Counts::rays,
                                     AtomicsPer::lane,
                                     "one atomic per lane, spread over 64 counters",
                                     kMostShards};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    // lane.id() may differ within a warp as far as the compiler knows, so it does not see that a
    // warp has only one address and does not merge the 32 atomics; see Naive.
    const u32 shard = (lane.id() / kWarpSize) % kMostShards;
    if (staged) lane.fetch_add(counter.value + shard * kShardStride, 1u);
  }
};

}  // namespace ballotcast::detail
