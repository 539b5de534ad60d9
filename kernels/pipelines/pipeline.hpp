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

/// The ids of live rays. Their order depends on the machine's timing; no result depends on it.
struct RayQueue {
  u32* ids;
  u32 capacity;
};

/// The common part of pipelines whose rays rest in memory between two kernels.
struct RestingRays {
  /// block-vote: of the strategies that count, the cheapest to report with, and as cheap as any to
  /// reserve with (measurements: tools/results).
  static constexpr std::string_view kAutoStrategy = BlockVote::info.name;
};

/// The common part of pipelines that cast each ray from start to end in one kernel. They have no
/// counter, so the only strategies they take count nothing.
struct RaysInOneGo {
  static constexpr std::string_view kAutoStrategy = None::info.name;
  static constexpr bool takes(const StrategyInfo& strategy) {
    return strategy.counts == Counts::nothing;
  }
  static constexpr Counts counts(const StrategyInfo&) { return Counts::nothing; }
};

/// The sum of the counter over all passes, computed from leaf visits alone.
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

/// The counts that a cast of `rays` rays must give, computed from leaf visits alone.
template <class Pipeline>
CastCounts counts_from(const StrategyInfo& strategy, u64 rays, const LeafVisits& visits) {
  // If rays rest in memory, the last pass finds no leaf, so there is one more pass than leaves.
  const u64 passes = Pipeline::info.rests ? visits.most + 1 : 1;
  return {rays, passes, counter_sum(Pipeline::counts(strategy), visits)};
}

/// The number of blocks needed for `count` lanes.
inline u32 blocks_for(u32 count, u32 block_size) { return (count + block_size - 1) / block_size; }

/// Initialises a ray before the first pass: no hit, no visit.
template <class Layout, class Strategy>
struct StartRay {
  BC_HD static void item(u32 i, RayBatch<Layout> batch, CastMemory memory, u32 room, u32 limit) {
    if (i == 0u) begin_cast<Strategy>(memory, batch.count, room, limit);
    batch.hits[i] = miss_of(batch.rays[i]);
    batch.walks[i] = Layout::start();
    if (batch.visits) batch.visits[i] = 0;
  }
};

}  // namespace ballotcast::detail
