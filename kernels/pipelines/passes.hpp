// Pipeline passes: two kernels over all rays, in turn, until no ray stages a leaf.
#pragma once

#include "kernels/pipelines/pipeline.hpp"

namespace ballotcast::detail {

/// Every ray walks to its next leaf ("stages" it), and the strategy reports which rays have staged
/// a leaf.
template <class View, class Strategy>
struct TraversePass {
  using Layout = typename View::LayoutType;
  using Shared = typename Strategy::Shared;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, View view, RayBatch<Layout> batch,
                            CounterView counter) {
    const u32 i = lane.id();
    const bool staged = i < batch.count && lane.call(StageLeaf{}, view, batch, i);
    Strategy::report(lane, shared, counter, staged);
  }
};

/// Every ray that staged a leaf tests the leaf's triangles. One thread then ends the pass
/// (end_pass).
template <class View>
struct IntersectPass {
  using Layout = typename View::LayoutType;

  BC_HD static void item(u32 i, View view, RayBatch<Layout> batch, CastMemory memory, u32 pass) {
    if (i == 0u) end_pass(memory, pass);
    if (!Layout::finished(batch.walks[i])) test_staged_leaf(view, batch, i);
  }
};

/// Two kernels take turns, and a counter decides whether another pass follows. Each pass reads and
/// writes the state of all rays in global memory. The other pipelines have less of this traffic.
struct Passes : RestingRays {
  static constexpr PipelineInfo info{
      "passes", "two kernels over all rays in turn until the counter is 0", true, 0};

  static constexpr bool takes(const StrategyInfo& strategy) { return strategy.reports(); }
  static constexpr CounterMeaning counter_meaning(const StrategyInfo& strategy) {
    return strategy.counter;
  }

  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        CastPlan plan) {
    if constexpr (Strategy::info.counter == CounterMeaning::nothing)
      if (plan.passes == 0)
        plan.passes = static_cast<u32>(run<Layout, BlockVote>(machine, view, batch, plan).passes);
    const CastMemory memory = cast_memory(machine, Strategy::info);
    const u32 blocks = blocks_for(batch.count, plan.block_size);
    machine.template each<StartRay<View>>("start rays", batch.count, view, batch, memory,
                                          batch.count, plan.passes);
    const Launch<View, Strategy> launch{view, batch, plan.block_size};
    const PassesDone done = repeat_passes(
        machine, plan, memory, batch.count, false, launch,
        [&](u32 pass, u32) {
          machine.template launch<TraversePass<View, Strategy>>("traverse", blocks, plan.block_size,
                                                                view, batch, memory.counter(pass));
          machine.template each<IntersectPass<View>>("intersect", batch.count, view, batch, memory,
                                                     pass % 2u);
        },
        [](u32, u32) {});
    return end_cast(machine, view, batch, memory, done);
  }

 private:
  /// All arguments of the launches of a pass. Casts with equal arguments run the same CUDA graph
  /// again instead of building one; see `launch` of repeat_passes.
  template <class View, class Strategy>
  struct Launch {
    View view;
    RayBatch<typename View::LayoutType> batch;
    u32 block_size;
  };
};

}  // namespace ballotcast::detail
