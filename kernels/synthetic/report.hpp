// Kernels that work, then report or reserve: what a strategy costs by itself.
#pragma once

#include "kernels/strategies/strategy.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast {

/// Does `Strategy` do something before the work? Published code did; no right one needs it.
template <class Strategy, class = void>
struct Prepares {
  static constexpr bool value = false;
};
template <class Strategy>
struct Prepares<Strategy, decltype(static_cast<void>(&Strategy::kPrepares))> {
  static constexpr bool value = true;
};

/// Each lane works, then tells the counter whether it hit.
template <class Work, class Strategy>
struct ReportAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, CounterView counter) {
    if constexpr (Prepares<Strategy>::value) Strategy::prepare(lane, shared);
    const u32 i = lane.id();
    bool hit = false;
    if (i < view.count) hit = Work::work(view, i) != kNever && hits(view, i, lane.block_size());
    if constexpr (Prepares<Strategy>::value)
      Strategy::finish(lane, shared, counter, hit);
    else
      Strategy::report(lane, shared, counter, hit);
  }
};

/// Each lane works, then puts its id into a queue if it hit.
template <class Work, class Strategy>
struct ReserveAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, u32* queue,
                            CounterView counter) {
    const u32 i = lane.id();
    bool hit = false;
    if (i < view.count) hit = Work::work(view, i) != kNever && hits(view, i, lane.block_size());
    const u32 slot = Strategy::reserve(lane, shared, counter, hit);
    if (hit && slot < view.count) queue[slot] = i;
  }
};

/// Sets the counter to 0.
struct ClearCounter {
  BC_HD static void item(u32 word, CounterView counter) { counter.value[word * kShardStride] = 0u; }
};

/// Sets what counts atomics to 0.
struct ClearWord {
  BC_HD static void item(u32 i, u64* words) { words[i] = 0; }
};

/// Numbers for MemoryWork to read.
struct FillRead {
  BC_HD static void item(u32 i, Float4* read) {
    const float x = static_cast<float>(i & 4095u);
    read[i] = {x, 1.0f, x * 0.5f, 2.0f};
  }
};

}  // namespace ballotcast
