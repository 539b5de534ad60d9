// Pipeline queue: like passes, but rays that staged a leaf are packed into a queue, so that the
// next turn touches live rays alone.
#pragma once

#include "kernels/pipelines/pipeline.hpp"

namespace ballotcast {

/// Ids of live rays. Their order depends on the machine's timing; nothing else may.
struct RayQueue {
  u32* ids;
  u32 capacity;
};

/// Every ray of the queue `in` (all rays, where it is null) walks to its next leaf; the strategy
/// gives those that found one a slot in `out`.
template <class Layout, class Strategy>
struct TraverseQueue {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, TraceView<Layout> view,
                            RayBatch<Layout> batch, const u32* in, u32 in_count, RayQueue out,
                            CounterView counter) {
    const u32 place = lane.id();
    const bool live = place < in_count;
    const u32 ray = live ? (in ? in[place] : place) : 0u;
    const bool staged = live && stage_leaf(view, batch, ray);
    const u32 slot = Strategy::reserve(lane, shared, counter, staged);
    if (staged && slot < out.capacity) out.ids[slot] = ray;
  }
};

/// Every ray of a queue tests its leaf.
template <class Layout>
struct IntersectQueue {
  BC_HD static void item(u32 place, TraceView<Layout> view, RayBatch<Layout> batch,
                         const u32* queue) {
    test_staged_leaf(view, batch, queue[place]);
  }
};

struct Queue {
  static constexpr PipelineInfo info{"queue", "as passes, over a queue of the rays still alive"};

  template <class Layout, class Strategy, class Machine>
  static CastCounts run(Machine& machine, const TraceView<Layout>& view,
                        const RayBatch<Layout>& batch, u32 block_size) {
    CastCounts counts{batch.count, 0, 0};
    RayQueue queue{machine.queue(0, batch.count), batch.count};
    RayQueue other{machine.queue(1, batch.count), batch.count};
    machine.template each<StartRay<Layout>>("start rays", batch.count, batch);
    const u32* in = nullptr;
    u32 live = batch.count;
    for (;;) {
      const CounterView counter = machine.clear_counter();
      machine.template launch<TraverseQueue<Layout, Strategy>>(
          "traverse queue", blocks_for(live, block_size), block_size, view, batch, in, live, queue,
          counter);
      live = machine.read_counter();
      ++counts.passes;
      counts.counter += live;
      if (live > queue.capacity) machine.fail("queue overflow: more rays live than there are");
      if (live == 0) return counts;
      machine.template each<IntersectQueue<Layout>>("intersect queue", live, view, batch,
                                                    static_cast<const u32*>(queue.ids));
      in = queue.ids;
      const RayQueue full = queue;
      queue = other;
      other = full;
    }
  }

  /// Slots are counted one by one, whatever the strategy.
  static u64 block_counter(Counts, u64 visits_sum, u64) { return visits_sum; }
};

}  // namespace ballotcast
