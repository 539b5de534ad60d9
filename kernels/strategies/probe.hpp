// Probes: kernels that contain only a strategy, so that its machine code can be read without a
// ray-caster around it.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {

/// Reports the lanes whose hash is below a threshold. The compiler can't know which lanes report.
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
