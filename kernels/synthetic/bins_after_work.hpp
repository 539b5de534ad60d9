// Kernels in which each lane does some work and then stores the bin of its ray. Other kernels make
// the queues of the bins afterwards. Also a kernel that finds the bins in sorted pairs.
#pragma once

#include "kernels/slots/bins.hpp"
#include "kernels/strategies/laboratory/bin_atomics.hpp"
#include "kernels/synthetic/report.hpp"

namespace ballotcast::detail {

/// Each lane does its work, then notes the bin of its ray if the ray hit, or no bin otherwise
/// (note_bin). `words`: see NotedBins.
template <class Work, u32 kBins>
struct NoteBinAfterWork {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32* words) {
    const bool hit = work_and_hit<Work>(lane, view);
    note_bin<kBins>(lane, words, hit ? bin_of(lane.id(), kBins) : kBins);
  }
};

/// Each lane does its work, then writes a pair for a sort: the bin of its ray, or `bins` if the ray
/// did not hit, to `keys`, and the number of the ray to `ids`.
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

/// Finds where each bin begins in sorted keys: the warp of block b writes the number of keys below
/// b to begins[b]. A p-ary search (Kaldewey et al., "Parallel Search on Video Cards", 2009): each
/// step looks at 32 keys, so 16 Mi keys take five steps.
struct FindBegins {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, const u8* keys, u32 count, u32* begins) {
    const u32 bin = lane.block();
    u32 first = 0u, last = count;  // keys before `first` are below the bin, those from `last` not
    while (first < last) {
      const u32 stride = (last - first + kWarpSize - 1u) / kWarpSize;
      const u32 at = first + stride * lane.lane();
      const u32 below = count_bits(lane.ballot(at < last && keys[at] < bin));
      if (below == 0u) break;
      const u32 not_below = first + stride * below;  // if keys[not_below] exists
      first = not_below - stride + 1u;
      if (not_below < last) last = not_below;
    }
    if (lane.lane() == 0u) begins[bin] = first;
  }
};

}  // namespace ballotcast::detail
