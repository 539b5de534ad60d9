// Pipeline passes: two kernels over all rays, in turn, until no ray stages a leaf.
#pragma once

#include "kernels/pipelines/pipeline.hpp"

namespace ballotcast {

/// Every ray walks to its next leaf; the strategy tells the counter.
template <class Layout, class Strategy>
struct TraversePass {
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, TraceView<Layout> view,
                            RayBatch<Layout> batch, CounterView counter) {
    const u32 i = lane.id();
    const bool staged = i < batch.count && stage_leaf(view, batch, i);
    Strategy::report(lane, shared, counter, staged);
  }
};

/// Every ray that staged a leaf tests it.
template <class Layout>
struct IntersectPass {
  BC_HD static void item(u32 i, TraceView<Layout> view, RayBatch<Layout> batch) {
    if (!Layout::finished(batch.walks[i])) test_staged_leaf(view, batch, i);
  }
};

/// The system of the ray-casters that asked what the counter costs: the host reads it every pass.
struct Passes {
  static constexpr PipelineInfo info{"passes",
                                     "two kernels over all rays in turn until the counter is 0"};

  template <class Layout, class Strategy, class Machine>
  static CastCounts run(Machine& machine, const TraceView<Layout>& view,
                        const RayBatch<Layout>& batch, u32 block_size) {
    CastCounts counts{batch.count, 0, 0};
    machine.template each<StartRay<Layout>>("start rays", batch.count, batch);
    for (;;) {
      const CounterView counter = machine.clear_counter();
      machine.template launch<TraversePass<Layout, Strategy>>(
          "traverse", blocks_for(batch.count, block_size), block_size, view, batch, counter);
      const u32 value = machine.read_counter();
      ++counts.passes;
      counts.counter += value;
      if (value == 0) return counts;
      machine.template each<IntersectPass<Layout>>("intersect", batch.count, view, batch);
    }
  }

  /// What one block's rays add to the counter over a whole cast, from their leaf visits: a ray
  /// stages one leaf a pass until it is done.
  static u64 block_counter(Counts counts, u64 visits_sum, u64 visits_max) {
    return counts == Counts::rays ? visits_sum : visits_max;
  }
};

}  // namespace ballotcast
