// One atomic a lane.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane that staged a leaf adds 1 itself. Cost: up to 32 atomics a warp, all on one address.
/// Written so that it stays so: from a plain atomicAdd on one address the compiler makes one atomic
/// a warp by itself, but not when it can't prove the address the same for all lanes. `never` is a
/// launch argument no index reaches.
struct Naive {
  static constexpr StrategyInfo info{"naive", Use::both, Counts::rays, AtomicsPer::lane,
                                     "one atomic a lane: what atomicAdd looks like it does"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    if (staged) lane.fetch_add(address_for(lane, counter), 1u);
  }

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared&, CounterView counter, bool wanted) {
    return wanted ? lane.fetch_add(address_for(lane, counter), 1u) : 0u;
  }

 private:
  template <class Lane>
  BC_DEVICE static u32* address_for(Lane& lane, CounterView counter) {
    return counter.value + (lane.id() >= counter.never ? 1u : 0u);
  }
};

}  // namespace ballotcast::detail
