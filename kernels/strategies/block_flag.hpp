// One flag a block in shared memory, one atomic a block.
#pragma once

#include "kernels/strategies/block_scan.hpp"

namespace ballotcast {

/// One thread clears a shared flag, all wait, whoever staged a leaf sets it, all wait, one thread
/// reads it. Both barriers matter: when every thread clears the flag, or nobody waits after it, a
/// late warp erases the flag that an early one set. Cost: at most one atomic a block, two barriers.
struct BlockFlag {
  static constexpr StrategyInfo info{"block-flag", Counts::blocks,
                                     "a shared flag and at most one atomic a block"};
  struct Shared {
    u32 flag;
    BlockScan scan;
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    if (raise(lane, shared, staged) && lane.thread() == 0u) lane.fetch_add(counter.value, 1u);
  }

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared& shared, CounterView counter, bool wanted) {
    // The flag is the same for all, so all of the block scan, or none does.
    return raise(lane, shared, wanted) ? reserve_by_scan(lane, shared.scan, counter, wanted) : 0u;
  }

 private:
  template <class Lane>
  BC_DEVICE static bool raise(Lane& lane, Shared& shared, bool up) {
    if (lane.thread() == 0u) shared.flag = 0u;
    lane.sync_block();
    if (up) shared.flag = 1u;
    lane.sync_block();
    return shared.flag != 0u;
  }
};

}  // namespace ballotcast
