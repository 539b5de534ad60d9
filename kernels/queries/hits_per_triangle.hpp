// Counts how often each triangle is the closest hit of a ray. The counts are exact integers.
#pragma once

#include "kernels/pipelines/machine.hpp"
#include "kernels/strategies/scatter.hpp"
#include "math/ray_hit.hpp"

namespace ballotcast::detail {

/// Adds 1 to sums[triangle] for each hit.
template <class Scatter>
struct AddHits {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, const Hit* hits, u32 count, u64* sums) {
    const u32 triangle = lane.id() < count ? hits[lane.id()].triangle : kNoTriangle;
    Scatter::add(lane, sums, triangle, triangle != kNoTriangle);
  }
};

/// AddHits for a machine without lanes: threads of a CPU add to host memory.
struct AddHitsOnHost {
  static void item(u32 i, const Hit* hits, u64* sums) {
    if (hits[i].found()) __atomic_fetch_add(sums + hits[i].triangle, u64{1}, __ATOMIC_RELAXED);
  }
};

template <class Machine>
void add_hits(Machine& machine, const Hit* hits, u32 count, AtomicsPer per, u64* sums) {
  constexpr u32 kBlock = 256;
  const char* const what = "hits per triangle";
  if constexpr (!Machine::kHasLanes)
    machine.template each<AddHitsOnHost>(what, count, hits, sums);
  else if (per == AtomicsPer::lane)
    machine.template launch<AddHits<ScatterPerLane>>(what, blocks_for(count, kBlock), kBlock, hits,
                                                     count, sums);
  else
    machine.template launch<AddHits<ScatterPerWarp>>(what, blocks_for(count, kBlock), kBlock, hits,
                                                     count, sums);
}

}  // namespace ballotcast::detail
