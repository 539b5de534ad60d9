// BROKEN, kept as a specimen: a shared flag that every thread clears, with no barrier after.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast {

/// A warp that comes late clears the flag that an early one has set: the more work lies between
/// clearing and setting, the more blocks are lost. Dense hits hide it, as other warps set the flag
/// again, and a picture hides it too. BlockFlag is this, made right.
struct UnguardedFlag {
  static constexpr StrategyInfo info{"broken-clear", Use::report, Counts::blocks,
                                     "a shared flag that every thread clears"};
  struct Shared {
    u32 flag;
  };

  /// It has two parts, with the work in between.
  static constexpr bool kPrepares = true;

  /// What the published code does before its work.
  template <class Lane>
  BC_DEVICE static void prepare(Lane& lane, Shared& shared) {
    volatile_flag(shared) = 0u;
    lane.sync_warp();  // in emulation: where warps drift apart
  }

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    prepare(lane, shared);
    finish(lane, shared, counter, staged);
  }

  /// What it does after its work.
  template <class Lane>
  BC_DEVICE static void finish(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    if (staged) volatile_flag(shared) = 1u;
    lane.sync_block();
    if (lane.thread() == 0u && volatile_flag(shared) != 0u) lane.fetch_add(counter.value, 1u);
  }

 private:
  /// Keeps the compiler from dropping the first store, as it may without the work in between.
  BC_DEVICE static volatile u32& volatile_flag(Shared& shared) { return shared.flag; }
};

}  // namespace ballotcast
