// Strategy bin-atomics: reserves a slot in the queue of the lane's bin, by one atomic per lane.
#pragma once

#include "kernels/strategies/laboratory/warp_queues.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {

/// The pseudo-random bin of a ray in benchmarks, 0 to `bins` - 1. The constant makes this hash
/// independent of the hash that decides which rays hit.
BC_HD inline u32 bin_of(u32 ray, u32 bins) { return mix_bits(ray + 0x85ebca6bu) % bins; }

/// Each lane that hits adds 1 to the counter of its bin, with its own atomic. Each queue has no
/// gaps, and is in any order. Cost: up to 32 atomics per warp. With more bins, fewer lanes add to
/// the same counter.
struct BinAtomics {
  static constexpr StrategyInfo info{"bin-atomics", Use::reserve, CounterMeaning::rays,
                                     AtomicsPer::lane,
                                     "one atomic per lane, on the counter of its bin"};
  struct Shared {};

  /// Returns the index of the slot in the memory of all queues.
  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared&, ManyQueues queues, bool wanted) {
    const u32 bin = bin_of(lane.id(), queues.counters.shards);
    u32* const counter = queues.counters.words.value + bin * kShardStride;
    return bin * queues.room + (wanted ? lane.fetch_add(counter, 1u) : 0u);
  }
};

}  // namespace ballotcast::detail
