// Kernels in which each lane does some work and then wants a slot in the queue of its bin: what
// comes before the queues are made.
#pragma once

#include "kernels/slots/bins.hpp"
#include "kernels/strategies/laboratory/bin_atomics.hpp"
#include "kernels/synthetic/report.hpp"

namespace ballotcast::detail {

/// Each lane works, then notes the bin of its ray if that hit. Other kernels make the queues.
template <class Work, u32 kBins>
struct NoteBinAfterWork {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32* words) {
    const bool hit = work_and_hit<Work>(lane, view);
    note_bin<kBins>(lane, words, hit ? bin_of(lane.id(), kBins) : kBins);
  }
};

/// Each lane works, then writes its ray's bin, which is `bins` if that did not hit, and its number.
template <class Work>
struct PairAfterWork {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32 bins, u8* keys, u32* ids) {
    const bool hit = work_and_hit<Work>(lane, view);
    const u32 i = lane.id();
    if (i >= view.count) return;
    keys[i] = static_cast<u8>(hit ? bin_of(i, bins) : bins);
    ids[i] = i;
  }
};

}  // namespace ballotcast::detail
