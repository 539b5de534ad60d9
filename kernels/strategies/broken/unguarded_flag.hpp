// BROKEN on purpose, to show that the checks find the error: every thread clears a shared flag, and
// no barrier follows.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Warps finish their work at different times. A late warp clears the flag that an early warp has
/// set, and the block's hit is lost. With many hits the error stays hidden, because late warps set
/// the flag again. In a pipeline it would stay hidden, too, because a loop goes on if any block
/// reports a hit. BlockFlag is the correct version.
struct UnguardedFlag {
  static constexpr StrategyInfo info{"broken-clear", Use::report, CounterMeaning::blocks,
                                     AtomicsPer::varies, "a shared flag that every thread clears"};
  struct Shared {
    u32 flag;
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    volatile_flag(shared) = 0u;
    lane.sync_warp();  // in emulation, other warps may run from here on
    if (staged) volatile_flag(shared) = 1u;
    lane.sync_block();
    if (lane.thread() == 0u && volatile_flag(shared) != 0u) lane.fetch_add(counter.value, 1u);
  }

 private:
  /// Volatile, so that the compiler does not merge the two stores, and the error stays.
  BC_DEVICE static volatile u32& volatile_flag(Shared& shared) { return shared.flag; }
};

}  // namespace ballotcast::detail
