// Strategy block-flag: one flag per block in shared memory; one atomic per block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Thread 0 clears a shared flag; barrier; every lane that staged a leaf sets the flag; barrier;
/// thread 0 reads the flag, and adds 1 to the counter if it is set. Both barriers are needed. If
/// every thread cleared the flag, or if there were no barrier after clearing, a late warp could
/// erase the flag that an early warp has set. Cost: two barriers and at most one atomic per block.
struct BlockFlag {
  static constexpr StrategyInfo info{"block-flag", Use::report, CounterMeaning::blocks,
                                     AtomicsPer::block,
                                     "a shared flag, and at most one atomic per block"};
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
