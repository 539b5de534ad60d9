// Strategy none: no counter. Its time is the lower bound with which other strategies are compared.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Reports nothing. A pipeline of several passes must know the number of passes in advance. The
/// time with this strategy is the lower bound ("floor") with which other strategies are compared.
///
/// For a fair comparison, the traversal must be compiled to the same code as with the other
/// strategies. But how ptxas compiles it depends on the code that follows. Therefore this strategy
/// does two things that other strategies do, too:
/// - The lanes of the warp synchronise, as for a vote.
/// - A store depends on `staged`. The store never executes, because `never` is a launch argument
///   that is not 0.
///
/// Without the store, ptxas kept the addresses of the traversal in registers per lane: 43 registers
/// instead of 40 (sm_90), which allows 5 blocks of 256 threads per multiprocessor instead of 6, and
/// 18 more instructions (R2UR). The floor was then 5 % too high. In the kernels of
/// kernels/synthetic, ptxas removed the computation of whether a lane hits, because its result was
/// unused.
struct None {
  static constexpr StrategyInfo info{
      "none", Use::report, CounterMeaning::nothing, AtomicsPer::none,
      "no counter (the floor); passes as an earlier run counted them"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    lane.sync_warp();
    if (staged && counter.never == 0u) lane.store(counter.value, 1u);
  }
};

}  // namespace ballotcast::detail
