// Strategy naive: one atomic per lane.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane that staged a leaf adds 1 to the counter with its own atomic. Cost: up to 32 atomics
/// per warp, all on one address. The compiler would merge the atomics of a warp into one, if it
/// could prove that they use the same address. To prevent that, the address depends on `never`, a
/// launch argument that is larger than every lane's index.
struct Naive {
  static constexpr StrategyInfo info{"naive", Use::both, CounterMeaning::rays, AtomicsPer::lane,
                                     "one atomic per lane (what a plain atomicAdd seems to do)"};
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
