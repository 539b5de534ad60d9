// No counter: the floor.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Tells nobody. A pipeline that uses it must know how many passes there are: what it then costs is
/// what every other strategy is measured against. The lanes of a warp meet, as they do for any
/// vote: a floor must stand under the same walk, and ptxas lays that out by what follows.
struct None {
  static constexpr StrategyInfo info{"none", Use::report, Counts::nothing, AtomicsPer::none,
                                     "no counter: the floor, with the passes of an earlier run"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView, bool) {
    lane.sync_warp();
  }
};

}  // namespace ballotcast::detail
