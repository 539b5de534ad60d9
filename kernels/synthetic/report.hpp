// Kernels in which each lane does some work, then reports a hit or reserves a slot. They show the
// cost of a strategy without a ray-caster around it.
#pragma once

#include "kernels/slots/later.hpp"
#include "kernels/strategies/strategy.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// Does the work of the ray of thread `thread` of block `block`, if there is such a ray. Returns
/// true if the ray hits.
template <class Work>
BC_DEVICE bool work_and_hit(const SyntheticView& view, u32 block, u32 thread, u32 block_size) {
  const u32 i = block * block_size + thread;
  if (i >= view.count) return false;
  const float x = Work::work(view, i, times_of(view, block));
  // Never true. The test keeps the compiler from removing the work if nobody uses the hit.
  if (x == kNever) *view.written = x;
  return x != kNever && hits(view, i, block_size);
}

/// Does the work of the lane's ray. Returns true if the ray hits.
template <class Work, class Lane>
BC_DEVICE bool work_and_hit(Lane& lane, const SyntheticView& view) {
  return work_and_hit<Work>(view, lane.block(), lane.thread(), lane.block_size());
}

/// Each lane does its work, then reports whether its ray hit. `Counter`: the type of counter that
/// the strategy uses (counter_for).
template <class Work, class Strategy>
struct ReportAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane, class Counter>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, Counter counter) {
    Strategy::report(lane, shared, counter, work_and_hit<Work>(lane, view));
  }
};

/// Each lane works for `items` rays, one from each of `items` consecutive blocks of rays, then
/// reports how many of its rays hit.
template <class Work, class Strategy>
struct ReportSumAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane, class Counter>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32 items, Counter counter) {
    u32 sum = 0;
    for (u32 k = 0; k < items; ++k)
      sum += work_and_hit<Work>(view, lane.block() * items + k, lane.thread(), lane.block_size())
                 ? 1u
                 : 0u;
    Strategy::report_sum(lane, counter, sum);
  }
};

/// Memory for the ids of rays, which lanes write to their slots.
struct SlotMemory {
  u32* ids;
  u32 room;
};

/// Each lane works, then puts its id into a queue if its ray hit.
template <class Work, class Strategy>
struct ReserveAfterWork {
  using Shared = typename Strategy::Shared;

  template <class Lane, class Counter>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, SlotMemory slots,
                            Counter counter) {
    const bool hit = work_and_hit<Work>(lane, view);
    const u32 slot = Strategy::reserve(lane, shared, counter, hit);
    if (hit && slot < slots.room) slots.ids[slot] = lane.id();
  }
};

/// The memory for payloads, which lanes that hit store besides their ids: `quads` elements each.
struct Payloads {
  Float4* memory;
  u32 quads;
};

/// Element q of the payload of ray i: numbers that are as good as any others.
BC_HD inline Float4 payload_of(u32 i, u32 q) {
  const float x = static_cast<float>(i & 4095u);
  return {x, x + 1.0f, static_cast<float>(q), 1.0f};
}

/// Stores the payload of ray i at index `place` of the memory, which holds one payload per index.
BC_HD inline void keep(const Payloads& payloads, u32 place, u32 i) {
  for (u32 q = 0; q < payloads.quads; ++q)
    payloads.memory[place * payloads.quads + q] = payload_of(i, q);
}

/// ReserveAfterWork, and each lane that hits also stores its payload at its slot.
template <class Work, class Strategy>
struct ReserveAndKeep {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, SyntheticView view, SlotMemory slots,
                            Payloads payloads, CounterView counter) {
    const bool hit = work_and_hit<Work>(lane, view);
    const u32 slot = Strategy::reserve(lane, shared, counter, hit);
    if (!hit || slot >= slots.room) return;
    slots.ids[slot] = lane.id();
    keep(payloads, slot, lane.id());
  }
};

/// NoteAfterWork, and each lane that hits also stores its payload at its own id, where later
/// kernels find it.
template <class Work>
struct NoteAndKeep {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32* words,
                            Payloads payloads) {
    const bool hit = work_and_hit<Work>(lane, view);
    note_lane(lane, words, hit);
    if (hit) keep(payloads, lane.id(), lane.id());
  }
};

/// Each lane works, then notes whether its ray hit. Other kernels make the queue.
template <class Work>
struct NoteAfterWork {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, SyntheticView view, u32* words) {
    note_lane(lane, words, work_and_hit<Work>(lane, view));
  }
};

/// Sets the counter to 0. Item i clears word i.
struct ClearCounter {
  BC_HD static void item(u32 word, CounterView counter) { counter.value[word] = 0u; }
};

/// Sets words to 0, for example the count of atomics.
struct ClearWord {
  BC_HD static void item(u32 i, u64* words) { words[i] = 0; }
  BC_HD static void item(u32 i, u32* words) { words[i] = 0; }
};

/// Fills the memory that MemoryWork reads.
struct FillRead {
  BC_HD static void item(u32 i, Float4* read) {
    const float x = static_cast<float>(i & 4095u);
    read[i] = {x, 1.0f, x * 0.5f, 2.0f};
  }
};

}  // namespace ballotcast::detail
