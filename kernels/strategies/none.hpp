// Strategy none: no counter. It is the floor that other strategies are measured against.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Reports nothing, so a pipeline that uses it must know the number of passes beforehand. The lanes
/// of a warp still meet, as they do for any vote: without that, ptxas would arrange the walk before
/// it in another way, and the floor would not have the same walk as the other strategies.
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
