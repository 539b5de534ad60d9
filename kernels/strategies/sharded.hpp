// Strategy sharded: one atomic per lane, spread over many counters.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Like Naive, but the warps are spread over kMostShards counters, each on its own cache line.
/// total_of adds the counters up. Cost: up to 32 atomics per warp, but only one warp in kMostShards
/// uses the same address.
struct Sharded {
  static constexpr StrategyInfo info{"sharded",
                                     Use::report,
                                     CounterMeaning::rays,
                                     AtomicsPer::lane,
                                     "one atomic per lane, spread over 64 counters",
                                     kMostShards};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    // The compiler does not know that `shard` is the same for all lanes of a warp. So the compiler
    // does not merge the atomics of a warp; see Naive.
    const u32 shard = (lane.id() / kWarpSize) % kMostShards;
    if (staged) lane.fetch_add(counter.value + shard * kShardStride, 1u);
  }
};

}  // namespace ballotcast::detail
