// Strategy none: no counter. It is the floor that other strategies are measured against.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Tells nobody. A pipeline that uses it must know how many passes there are: what it then costs is
/// what every other strategy is measured against. So the walk before it must be compiled as it is
/// for the others, and ptxas compiles a walk by what follows it. The lanes of a warp meet, as they
/// do for any vote, and `staged` is asked for: a store depends on it that is never done, for
/// `never` is a launch argument that isn't 0. Without that store ptxas kept the addresses of the
/// walk in registers of each lane: 43 registers instead of 40 (sm_90), so 5 blocks of 256 a
/// multiprocessor instead of 6, and 18 more instructions (R2UR). The floor was 5 % too high.
/// And of synthetic work it left out what finds out whether a lane hits, for nobody asked.
struct None {
  static constexpr StrategyInfo info{"none", Use::report, Counts::nothing, AtomicsPer::none,
                                     "no counter: the floor, with the passes of an earlier run"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    lane.sync_warp();
    if (staged && counter.never == 0u) lane.store(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
