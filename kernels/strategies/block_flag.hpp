// One flag a block in shared memory, one atomic a block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// One thread clears a shared flag, all wait, whoever staged a leaf sets it, all wait, one thread
/// reads it. Both barriers matter: when every thread clears the flag, or nobody waits after it, a
/// late warp erases the flag that an early one set. Cost: at most one atomic a block, two barriers.
struct BlockFlag {
  static constexpr StrategyInfo info{"block-flag", Use::report, Counts::blocks, AtomicsPer::block,
                                     "a shared flag and at most one atomic a block"};
  struct Shared {
    u32 flag;
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    if (lane.thread() == 0u) shared.flag = 0u;
    lane.sync_block();
    if (staged) shared.flag = 1u;
    lane.sync_block();
    if (lane.thread() == 0u && shared.flag != 0u) lane.fetch_add(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
