// BROKEN, kept as a specimen: a shared array of 32 words for blocks of more than 32 lanes.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Lane i of every warp writes word i, then the first lane of every warp adds all 32 up. As long as
/// a block is one warp that is right. With more, warps write over each other, and each of them adds
/// what it finds: a hit is lost or counted once a warp. WarpArray is this, made right.
struct SharedColumn {
  static constexpr StrategyInfo info{"broken-column", Use::report, Counts::rays, AtomicsPer::varies,
                                     "32 shared words for all warps of a block"};
  struct Shared {
    u32 staged[kWarpSize];
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    // The array is cleared and a barrier stands where the next specimen has none: this one is wrong
    // without any race.
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
