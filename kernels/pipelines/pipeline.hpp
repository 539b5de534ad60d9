// Pipelines: ways to alternate between walking through the tree and testing triangles. A pipeline
// is a file in this folder and a row in pipelines.hpp:
//
//  struct Name {
//    // Name, summary, `rests` and `queues` of cast_plan.hpp.
//    static constexpr PipelineInfo info{"name", "how it works", false, 0};
//    // True if the pipeline can run with this strategy.
//    static constexpr bool takes(const StrategyInfo& strategy);
//    // The strategy that --atomics=auto selects.
//    static constexpr std::string_view kAutoStrategy;
//    // Casts a batch of rays. `View`: a TraceView or an InstancedView.
//    template <class Layout, class Strategy, class Machine, class View>
//    static CastCounts run(machine, view, batch, plan);
//    // What the counter's sum over all passes means with this strategy.
//    static constexpr CounterMeaning counter_meaning(const StrategyInfo& strategy);
//  };
//
// `run` is host code that launches kernels on a Machine (machine.hpp).
#pragma once

#include <string_view>

#include "kernels/pipelines/cast_plan.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/none.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// The common part of pipelines that keep the walks of rays in memory between two kernels.
struct RestingRays {
  /// Of the strategies that count, block-vote reports at the lowest cost, and no strategy reserves
  /// slots at a lower cost (measurements: docs/results).
  static constexpr std::string_view kAutoStrategy = BlockVote::info.name;
};

/// The common part of pipelines that cast each ray from start to end in one kernel. These pipelines
/// have no counter, so they take only strategies that count nothing.
struct RaysInOneGo {
  static constexpr std::string_view kAutoStrategy = None::info.name;
  static constexpr bool takes(const StrategyInfo& strategy) {
    return strategy.counter == CounterMeaning::nothing;
  }
  static constexpr CounterMeaning counter_meaning(const StrategyInfo&) {
    return CounterMeaning::nothing;
  }
};

/// True if the pipeline has queues and the strategy reserves no slots. Then the queues are made in
/// the order of lanes, without atomics.
template <class Pipeline>
constexpr bool queues_in_order(const StrategyInfo& strategy) {
  return Pipeline::info.queues > 0 && strategy.counter == CounterMeaning::nothing;
}

/// The sum of the counter over all passes, computed from the numbers of leaf visits alone.
inline u64 counter_sum(CounterMeaning meaning, const LeafVisits& visits) {
  switch (meaning) {
    case CounterMeaning::rays:
      return visits.sum;
    case CounterMeaning::blocks:
      return visits.sum_of_busiest;
    case CounterMeaning::any:
      return visits.most;
    case CounterMeaning::nothing:
      break;
  }
  return 0;
}

/// The counts that a cast of `rays` rays must have, computed from the numbers of leaf visits alone.
template <class Pipeline>
CastCounts counts_from(const StrategyInfo& strategy, u64 rays, const LeafVisits& visits) {
  // The longest walk needs one pass per leaf, and one more pass that finds no leaf.
  const u64 passes = Pipeline::info.rests ? visits.most + 1 : 1;
  return {rays, passes, counter_sum(Pipeline::counter_meaning(strategy), visits)};
}

/// Prepares a ray before the first pass: no hit, no visits, the walk at its start. Sets
/// progress.far if the ray starts far away. One of the threads also prepares the cast.
template <class View>
struct StartRay {
  using Layout = typename View::LayoutType;

  BC_HD static void item(u32 i, View view, RayBatch<Layout> batch, CastMemory memory, u32 room,
                         u32 limit) {
    if (i == 0u) begin_cast(memory, batch.count, room, limit);
    const Ray given = batch.rays[i];
    const WalkFrame frame = view.frame(i);
    if (is_far(given, frame.magnitude)) store_shared(&memory.progress->far, memory.number);
    batch.hits[i] = miss_of(ray_to_cast(view, i, frame, given).ray);
    batch.walks[i] = Layout::start();
    if (batch.visits) batch.visits[i] = 0;
  }
};

/// Runs after the last pass. A ray from far away was moved before the cast; converts its hit to a
/// hit of the original ray. Does nothing if the cast had no such rays.
struct GiveBackHit {
  template <class View, class Layout>
  BC_HD static void item(u32 i, View view, RayBatch<Layout> batch, CastMemory memory) {
    if (memory.progress->far == memory.number)
      batch.hits[i] = given_hit(batch.rays[i], view.frame(i).magnitude, batch.kind, batch.hits[i]);
  }
};

/// Ends a cast that keeps its walks in memory between passes: converts the hits of rays from far
/// away, and returns the counts.
template <class View, class Layout, class Machine>
CastCounts end_cast(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                    const CastMemory& memory, const PassesDone& done) {
  if (done.may_be_far)
    machine.template each<GiveBackHit>("give hits back", batch.count, view, batch, memory);
  return done.counts;
}

}  // namespace ballotcast::detail
