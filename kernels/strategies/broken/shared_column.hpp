// BROKEN on purpose, to show that the checks find the error: a shared array of 32 words, used by
// blocks of more than 32 lanes.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Lane i of every warp writes word i, then the first lane of every warp adds up all 32 words. That
/// is right only if a block is a single warp. With more warps, lanes of different warps write the
/// same words, and each warp adds the same words: a hit may be lost, or counted once per warp.
/// WarpArray is the correct version.
struct SharedColumn {
  static constexpr StrategyInfo info{"broken-column", Use::report, CounterMeaning::rays,
                                     AtomicsPer::varies,
                                     "32 shared words for all warps of a block"};
  struct Shared {
    u32 staged[kWarpSize];
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    // Unlike in UnguardedFlag, a barrier follows after the array is cleared. So the result is wrong
    // even though this part has no race.
    if (lane.thread() < kWarpSize) shared.staged[lane.thread()] = 0u;
    lane.sync_block();
    if (staged) shared.staged[lane.lane()] = 1u;
    lane.sync_block();
    if (lane.lane() != 0u) return;
    u32 count = 0;
    for (u32 i = 0; i < kWarpSize; ++i) count += shared.staged[i];
    if (count != 0u) lane.fetch_add(counter.value, count);
  }
};

}  // namespace ballotcast::detail
