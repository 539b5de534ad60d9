// One atomic a lane, spread over many counters.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// As naive, but each warp has one of kMostShards counters, each on a cache line of its own, which
/// whoever reads the number adds up. Cost: up to 32 atomics a warp, on one address in kMostShards.
struct Sharded {
  static constexpr StrategyInfo info{"sharded",
                                     Use::report,
                                     Counts::rays,
                                     AtomicsPer::lane,
                                     "one atomic a lane, over 64 counters",
                                     kMostShards};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    // Who the lane's warp is comes from its own index, which keeps the compiler from seeing one
    // address a warp and making one atomic of 32: see Naive.
    const u32 shard = (lane.id() / kWarpSize) % kMostShards;
    if (staged) lane.fetch_add(counter.value + shard * kShardStride, 1u);
  }
};

}  // namespace ballotcast::detail
