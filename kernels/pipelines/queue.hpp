// Pipeline queue: like pipeline passes, but the ids of the rays that staged a leaf are packed into
// a queue. So the next pass processes live rays only.
//
//   pass 0      all rays           0  1  2  3  4  5  6  7
//               staged a leaf      .  x  .  x  x  .  .  x
//   even queue  slots 0..3         3  1  7  4                (any order; the counter is 4)
//               staged a leaf      x  .  .  x
//   odd queue   slots 0..1         4  3                      (the counter is 2)
//   ...         the two queues take turns until the counter is 0
//
// With QueueOrder::lanes, no slot is reserved: lanes only note that their rays staged a leaf
// (reached a leaf to be tested). Two more kernels make the queue from these notes, with ascending
// ids.
#pragma once

#include "kernels/pipelines/pipeline.hpp"
#include "kernels/slots/later.hpp"

namespace ballotcast::detail {

/// The lane takes the ray at its index in the queue `in`, which walks to its next leaf. `live`
/// holds the number of rays in `in`. If in.ids is null, the queue holds all rays in order. Returns
/// true if the lane has a ray and this ray reached a leaf. Sets `ray` to the ray's id.
template <class View, class Lane>
BC_DEVICE bool stage_leaf_at(Lane& lane, const View& view,
                             const RayBatch<typename View::LayoutType>& batch, const RayQueue& in,
                             const CounterView& live, u32& ray) {
  const u32 place = lane.id();
  const bool alive = place < *live.value && place < in.capacity;
  ray = alive ? (in.ids ? in.ids[place] : place) : 0u;
  return alive && lane.call(StageLeaf{}, view, batch, ray);
}

/// Every ray of the queue `in` walks to its next leaf. For each ray that found a leaf, the strategy
/// reserves a slot in `out`.
template <class View, class Strategy>
struct TraverseQueue {
  using Layout = typename View::LayoutType;
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, View view, RayBatch<Layout> batch,
                            RayQueue in, RayQueue out, CounterView live, CounterView counter) {
    u32 ray;
    const bool staged = stage_leaf_at(lane, view, batch, in, live, ray);
    const u32 slot = Strategy::reserve(lane, shared, counter, staged);
    if (staged && slot < out.capacity) out.ids[slot] = ray;
  }
};

/// Every ray of the queue `in` walks to its next leaf. Each lane notes whether its ray found one.
template <class View>
struct NoteStaged {
  using Layout = typename View::LayoutType;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, View view, RayBatch<Layout> batch, RayQueue in,
                            u32* words, CounterView live) {
    u32 ray;
    note_lane(lane, words, stage_leaf_at(lane, view, batch, in, live, ray));
  }
};

/// Every ray of a queue tests its leaf. Does nothing if more slots were reserved than the queue
/// has, because then its ids may be invalid. One thread then ends the pass (end_pass).
template <class View>
struct IntersectQueue {
  using Layout = typename View::LayoutType;

  BC_HD static void item(u32 place, View view, RayBatch<Layout> batch, RayQueue queue,
                         CastMemory memory, u32 pass) {
    if (place == 0u) end_pass(memory, pass);
    const u32 live = *memory.counter(pass).value;
    if (place < live && live <= queue.capacity) test_staged_leaf(view, batch, queue.ids[place]);
  }
};

struct Queue : RestingRays {
  static constexpr PipelineInfo info{"queue", "as passes, but over a queue of live rays", true, 2};

  static constexpr bool takes(const StrategyInfo& strategy) { return strategy.reserves(); }
  /// The counter is the number of reserved slots, so it counts rays, even if the strategy's
  /// `report` counts blocks.
  static constexpr CounterMeaning counter_meaning(const StrategyInfo&) {
    return CounterMeaning::rays;
  }

  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        const CastPlan& plan) {
    CastMemory memory = cast_memory(machine, Strategy::info);
    memory.is_counted = true;  // the queue counts rays even if the strategy counts nothing
    constexpr bool kInOrder = queues_in_order<Queue>(Strategy::info);
    const Launch<View, Strategy> launch{
        view,
        batch,
        machine.queue(0, batch.count),
        machine.queue(1, batch.count),
        kInOrder ? machine.queue(2, static_cast<u32>(NotedLanes::memory_for(batch.count))).ids
                 : nullptr,
        plan.block_size};
    const u32 room =
        launch.even.capacity < launch.odd.capacity ? launch.even.capacity : launch.odd.capacity;
    machine.template each<StartRay<View>>("start rays", batch.count, view, batch, memory, room, 0u);
    const PassesDone done = repeat_passes(
        machine, plan, memory, batch.count, true, launch,
        [&](u32 pass, u32 most) {
          const RayQueue out = pass % 2u ? launch.odd : launch.even;
          RayQueue in = pass % 2u ? launch.even : launch.odd;
          if (pass == 0u) in = {nullptr, batch.count};
          const CounterView live = memory.counter(pass + 1u), counter = memory.counter(pass);
          const u32 blocks = blocks_for(most, plan.block_size);
          if constexpr (kInOrder) {
            machine.template launch<NoteStaged<View>>("traverse queue", blocks, plan.block_size,
                                                      view, batch, in, launch.noted, live);
            queue_noted(machine, NotedLanes::in(launch.noted, most), in.ids, out.ids,
                        counter.value);
          } else {
            machine.template launch<TraverseQueue<View, Strategy>>(
                "traverse queue", blocks, plan.block_size, view, batch, in, out, live, counter);
          }
          machine.template each<IntersectQueue<View>>("intersect queue", most, view, batch, out,
                                                      memory, pass % 2u);
        },
        [&](u32 pass, u32 live) {
          if (!plan.on_queue) return;
          std::vector<u32> ids(live);
          const u32* queue = pass % 2u ? launch.odd.ids : launch.even.ids;
          machine.download(ids.data(), queue, live);
          plan.on_queue(pass, ids);
        });
    return end_cast(machine, view, batch, memory, done);
  }

 private:
  /// All arguments of the launches of a pass. Casts with equal arguments run the same CUDA graph
  /// again instead of building one; see `launch` of repeat_passes.
  template <class View, class Strategy>
  struct Launch {
    View view;
    RayBatch<typename View::LayoutType> batch;
    RayQueue even, odd;  // passes with an even number write `even`, the others `odd`
    // With QueueOrder::lanes: NotedLanes::memory_for(rays) words for the notes; else null.
    u32* noted;
    u32 block_size;
  };
};

}  // namespace ballotcast::detail
