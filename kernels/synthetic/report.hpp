// Kernels in which each lane does some work, then reports a hit or reserves a slot. They show what
// a strategy costs without a ray-caster around it.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// Does the work of ray i. Returns true if the ray hits.
template <class Work>
BC_DEVICE bool work_and_hit(const SyntheticView& view, u32 i, u32 block_size) {
  const float x = Work::work(view, i);
  // Never true. The test keeps the compiler from removing the work if nobody uses the hit.
  if (x == kNever) *view.written = x;
  return x != kNever && hits(view, i, block_size);
}

/// Each lane works, then reports whether its ray hit.
template <class Work, class Strategy>
struct ReportAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, CounterView counter) {
    const u32 i = lane.id();
    const bool hit = i < view.count && work_and_hit<Work>(view, i, lane.block_size());
    Strategy::report(lane, shared, counter, hit);
  }
};

/// Each lane works, then puts its id into a queue if its ray hit.
template <class Work, class Strategy>
struct ReserveAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, u32* queue,
                            CounterView counter) {
    const u32 i = lane.id();
    const bool hit = i < view.count && work_and_hit<Work>(view, i, lane.block_size());
    const u32 slot = Strategy::reserve(lane, shared, counter, hit);
    if (hit && slot < view.count) queue[slot] = i;
  }
};

/// Sets the counter to 0. Item i clears shard i.
struct ClearCounter {
  BC_HD static void item(u32 word, CounterView counter) { counter.value[word * kShardStride] = 0u; }
};

/// Sets words to 0, for example the count of atomics.
struct ClearWord {
  BC_HD static void item(u32 i, u64* words) { words[i] = 0; }
};

/// Fills the memory that MemoryWork reads.
struct FillRead {
  BC_HD static void item(u32 i, Float4* read) {
    const float x = static_cast<float>(i & 4095u);
    read[i] = {x, 1.0f, x * 0.5f, 2.0f};
  }
};

}  // namespace ballotcast::detail
