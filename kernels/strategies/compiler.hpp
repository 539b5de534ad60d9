// Strategy compiler: a plain atomicAdd, which the compiler may merge.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane that staged a leaf calls atomicAdd on the same counter. ptxas compiles this call to a
/// vote, a population count and one atomic per warp. In emulation there is one atomic per lane.
struct Compiler {
  static constexpr StrategyInfo info{
      "compiler", Use::both, CounterMeaning::rays, AtomicsPer::varies,
      "a plain atomicAdd, which the compiler merges to one per warp"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    if (staged) lane.fetch_add_same(counter.value, 1u);
  }

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared&, CounterView counter, bool wanted) {
    return wanted ? lane.fetch_add_same(counter.value, 1u) : 0u;
  }
};

}  // namespace ballotcast::detail
