// BROKEN on purpose, to show that the checks find the error: one flag per block, but the first lane
// of every warp reports it.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The flag belongs to the block, but the first lane of each warp adds 1 for it. So a block with a
/// hit is counted as often as it has warps, instead of once. BlockFlag is the correct version.
struct SharedFlagPerWarp {
  static constexpr StrategyInfo info{"broken-leader", Use::report, CounterMeaning::blocks,
                                     AtomicsPer::varies,
                                     "a shared flag that every warp's leader adds"};
  struct Shared {
    u32 flag;
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    if (lane.thread() == 0u) shared.flag = 0u;
    lane.sync_block();
    if (staged) shared.flag = 1u;
    lane.sync_block();
    if (lane.lane() == 0u && shared.flag != 0u) lane.fetch_add(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
