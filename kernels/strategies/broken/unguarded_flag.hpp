// BROKEN, kept as a specimen: a shared flag that every thread clears, with no barrier after.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Warps come out of their work at different times: one that comes late clears the flag that an
/// early one has set, and the block is lost. Dense hits hide it, as late warps set the flag again,
/// and a picture hides it too. BlockFlag is this, made right.
struct UnguardedFlag {
  static constexpr StrategyInfo info{"broken-clear", Use::report, Counts::blocks,
                                     AtomicsPer::varies, "a shared flag that every thread clears"};
  struct Shared {
    u32 flag;
  };

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    volatile_flag(shared) = 0u;
    lane.sync_warp();  // in emulation: where warps drift apart
    if (staged) volatile_flag(shared) = 1u;
    lane.sync_block();
    if (lane.thread() == 0u && volatile_flag(shared) != 0u) lane.fetch_add(counter.value, 1u);
  }

 private:
  /// Keeps the compiler from making one store of two; it does not help.
  BC_DEVICE static volatile u32& volatile_flag(Shared& shared) { return shared.flag; }
};

}  // namespace ballotcast::detail
