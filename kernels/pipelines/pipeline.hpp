// Pipelines: ways to alternate between walking through the tree and testing triangles. A pipeline
// is one file here and one row in table.hpp:
//
//   struct Name {
//     // Name, summary, `rests` and `queues` of cast_plan.hpp.
//     static constexpr PipelineInfo info{"name", "how it works", false, 0};
//     // True if the pipeline can run with this strategy.
//     static constexpr bool takes(const StrategyInfo& strategy);
//     // The strategy that --atomics=auto selects.
//     static constexpr std::string_view kAutoStrategy;
//     // Casts a batch of rays. `View`: a TraceView or an InstancedView.
//     template <class Layout, class Strategy, class Machine, class View>
//     static CastCounts run(machine, view, batch, plan);
//     // What the counter's sum over all passes means with this strategy.
//     static constexpr CounterMeaning counter_meaning(const StrategyInfo& strategy);
//   };
//
// `run` is host code over a Machine (machine.hpp).
#pragma once

#include <string_view>

#include "kernels/instances.hpp"
#include "kernels/pipelines/cast_plan.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/none.hpp"

namespace ballotcast::detail {

/// The common part of pipelines whose walks rest in memory between two kernels.
struct RestingRays {
  /// Among the strategies that count, block-vote is the cheapest to report with, and none is
  /// cheaper to reserve with (measurements: docs/results).
  static constexpr std::string_view kAutoStrategy = BlockVote::info.name;
};

/// The common part of pipelines that cast each ray from start to end in one kernel. They have no
/// counter, so they take only strategies that count nothing.
struct RaysInOneGo {
  static constexpr std::string_view kAutoStrategy = None::info.name;
  static constexpr bool takes(const StrategyInfo& strategy) {
    return strategy.counter == CounterMeaning::nothing;
  }
  static constexpr CounterMeaning counter_meaning(const StrategyInfo&) {
    return CounterMeaning::nothing;
  }
};

/// True if the pipeline can run with a strategy that reserves no slots: its queues are then made in
/// the order of lanes, without atomics.
template <class Pipeline>
constexpr bool queues_in_order(const StrategyInfo& strategy) {
  return Pipeline::info.queues > 0 && strategy.counter == CounterMeaning::nothing;
}

/// The sum of the counter over all passes, computed from leaf visits alone.
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

/// The counts that a cast of `rays` rays must give, computed from leaf visits alone.
template <class Pipeline>
CastCounts counts_from(const StrategyInfo& strategy, u64 rays, const LeafVisits& visits) {
  // The last pass finds no leaf. So there is one pass more than leaves of the longest walk.
  const u64 passes = Pipeline::info.rests ? visits.most + 1 : 1;
  return {rays, passes, counter_sum(Pipeline::counter_meaning(strategy), visits)};
}

/// Initialises a ray before the first pass: no hit, no visit, walk at its start. Notes in the
/// progress if the ray is far. One of the threads also prepares the cast.
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

/// Runs after the last pass. The hit of a far ray belongs to the moved ray; converts it to a hit of
/// the given ray. Does nothing if the cast had no far rays.
struct GiveBackHit {
  template <class View, class Layout>
  BC_HD static void item(u32 i, View view, RayBatch<Layout> batch, CastMemory memory) {
    if (memory.progress->far == memory.number)
      batch.hits[i] = given_hit(batch.rays[i], view.frame(i).magnitude, batch.kind, batch.hits[i]);
  }
};

/// Ends a cast whose walks rest in memory between passes: converts the hits of far rays, and
/// returns the counts.
template <class View, class Layout, class Machine>
CastCounts end_cast(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                    const CastMemory& memory, const PassesDone& done) {
  if (done.may_be_far)
    machine.template each<GiveBackHit>("give hits back", batch.count, view, batch, memory);
  return done.counts;
}

}  // namespace ballotcast::detail
