// Pipelines: how walking and testing take turns. Each is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr PipelineInfo info{"name", "how it goes", rests, queues};
//     // Can it be run with this strategy?
//     static constexpr bool takes(const StrategyInfo& strategy);
//     // The strategy that `auto` takes.
//     static constexpr std::string_view kAutoStrategy;
//     // Casts a batch.
//     template <class Layout, class Strategy, class Machine>
//     static CastCounts run(machine, view, batch, plan);
//     // What the counter's sum over all passes means with this strategy.
//     static constexpr Counts counts(const StrategyInfo& strategy);
//   };
//
// `run` is host code over a Machine (backends/emulated, backends/cuda), which offers:
//   launch<Kernel>(description, blocks, block_size, views...)   a kernel with collectives
//   launch_with_words<Kernel>(description, blocks, words, views...)
//                      one whose Shared is u32*: `words` a lane of the block's shared memory; it
//                      also names kBlockSize, and kBlocksAtOnce, which should fit a multiprocessor
//   blocks_at_once<Kernel, Views...>(words) -> how many of its blocks the machine holds
//   each<Kernel>(description, count, views...)                  one without
//   warp_choice() -> WarpChoice*, read(WarpChoice*) -> a copy that is up to date
//   may_wait() -> may the host wait for it?
//   cast_memory() -> CastMemory, read(CastProgress*) -> a copy that is up to date
//   repeat(launch, CastProgress*, sizes, body)   calls body(sizes[0]) until no more than sizes[1]
//                                                rays are alive, then body(sizes[1]), ... until
//                                                done
//   queue(0 or 1, count) -> RayQueue             memory for `count` ray ids
//   download(to, from, count)
//   fail(what)                                   throws DeviceError
// and to frames (kernels/frame.hpp) also:
//   make<T>(count) -> a buffer with data() and size()
//   stage(name), finish_stages()
#pragma once

#include <string_view>

#include "kernels/pipelines/loop.hpp"
#include "kernels/pipelines/pipeline_info.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/none.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// Ids of live rays. Their order depends on the machine's timing; nothing else may.
struct RayQueue {
  u32* ids;
  u32 capacity;
};

/// What rows share whose rays rest in memory between two kernels.
struct RestingRays {
  /// The cheapest to report that counts, and no dearer than the others to reserve (tools/results
  /// has the measurements).
  static constexpr std::string_view kAutoStrategy = BlockVote::info.name;
};

/// What rows share that take a ray from start to end in one kernel: there is no counter for lanes
/// to tell.
struct RaysInOneGo {
  static constexpr std::string_view kAutoStrategy = None::info.name;
  static constexpr bool takes(const StrategyInfo& strategy) {
    return strategy.counts == Counts::nothing;
  }
  static constexpr Counts counts(const StrategyInfo&) { return Counts::nothing; }
};

/// The sum of the counter over all passes, worked out from leaf visits alone.
inline u64 counter_sum(Counts counts, const LeafVisits& visits) {
  switch (counts) {
    case Counts::rays:
      return visits.sum;
    case Counts::blocks:
      return visits.sum_of_busiest;
    case Counts::any:
      return visits.most;
    case Counts::nothing:
      break;
  }
  return 0;
}

/// What a pipeline's cast of `rays` counts, worked out from leaf visits alone.
template <class Pipeline>
CastCounts counts_from(const StrategyInfo& strategy, u64 rays, const LeafVisits& visits) {
  // Where rays rest there is one more pass than leaves: the one that found nothing.
  const u64 passes = Pipeline::info.rests ? visits.most + 1 : 1;
  return {rays, passes, counter_sum(Pipeline::counts(strategy), visits)};
}

/// Blocks that hold `count` lanes.
inline u32 blocks_for(u32 count, u32 block_size) { return (count + block_size - 1) / block_size; }

/// Per ray, before the first pass: nothing hit, nothing visited.
template <class Layout, class Strategy>
struct StartRay {
  BC_HD static void item(u32 i, TraceView<Layout> view, RayBatch<Layout> batch, CastMemory memory,
                         u32 room, u32 limit) {
    if (i == 0u) begin_cast<Strategy>(memory, batch.count, room, limit);
    const Ray given = batch.rays[i];
    if (is_far(given, view.scene.magnitude)) store_alike(&memory.progress->far, memory.number);
    batch.hits[i] = miss_of(near_ray(given, view.scene.magnitude));
    batch.walks[i] = Layout::start();
    if (batch.visits) batch.visits[i] = 0;
  }
};

/// Per ray, after the last pass: from what was cast to what was given.
struct GiveBackHit {
  BC_HD static void item(u32 i, const Ray* rays, Hit* hits, float scene_magnitude,
                         CastMemory memory) {
    if (memory.progress->far == memory.number) give_back_if_far(rays[i], scene_magnitude, hits[i]);
  }
};

/// Ends a cast of rays that rest.
template <class Layout, class Machine>
CastCounts end_cast(Machine& machine, const TraceView<Layout>& view, const RayBatch<Layout>& batch,
                    const CastMemory& memory, const PassesDone& done) {
  if (done.may_be_far)
    machine.template each<GiveBackHit>("give hits back", batch.count, batch.rays, batch.hits,
                                       view.scene.magnitude, memory);
  return done.counts;
}

}  // namespace ballotcast::detail
