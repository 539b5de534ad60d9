// Probes: kernels that hold nothing but a strategy, so that the strategy's machine code can be read
// without a ray-caster around it.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {

/// Reports the lanes whose hash is below a threshold. No compiler can foresee which lanes do so.
template <class Strategy>
struct ReportProbe {
  using Shared = typename Strategy::Shared;

  template <class Lane, class Counter>
  BC_DEVICE static void run(Lane& lane, Shared& shared, u32 threshold, Counter counter) {
    Strategy::report(lane, shared, counter, mix_bits(lane.id()) < threshold);
  }
};

/// Reserves a slot for each lane whose hash is below a threshold, and writes the lane's id to it.
template <class Strategy>
struct ReserveProbe {
  using Shared = typename Strategy::Shared;

  template <class Lane, class Counter>
  BC_DEVICE static void run(Lane& lane, Shared& shared, u32 threshold, Counter counter,
                            u32* slots) {
    const bool wanted = mix_bits(lane.id()) < threshold;
    const u32 slot = Strategy::reserve(lane, shared, counter, wanted);
    if (wanted) slots[slot] = lane.id();
  }
};

}  // namespace ballotcast::detail
