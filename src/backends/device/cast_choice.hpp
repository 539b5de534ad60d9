// Resolves cast options: names become rows of tables. Code on this floor and below only uses rows.
#pragma once

#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "kernels/pipelines/cast_plan.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The resolved CastOptions.
struct CastChoice {
  const PipelineInfo* pipeline;  // a row of kernels/pipelines/pipelines.hpp
  const StrategyInfo*
      strategy;  // a row of kernels/strategies/strategies.hpp that the pipeline supports
  u32 block_size;
  Loop loop;
  // With `lanes`, pipelines with queues use the strategy that counts nothing.
  QueueOrder order;
  // The number of passes to run if the strategy counts nothing. 0 means: first count the passes
  // with another strategy. With too few passes rays would not be finished, so no public option sets
  // this number.
  u32 passes = 0;

  /// Resolves options. If the loop is `auto`, it becomes `automatic`, the default of the machine
  /// (BackendInfo::auto_loop). Throws UsageError for unknown names, for names that can't be
  /// combined, and for an invalid block size.
  explicit CastChoice(const CastOptions& options, Loop automatic = {Loop::Who::graph, 1});
  CastChoice() : CastChoice(CastOptions{}) {}

  /// The plan that is passed to the pipeline's `run`.
  CastPlan plan() const { return {block_size, loop, passes, {}}; }

  /// True if the cast has queues in the order of lanes.
  bool queues_in_order() const { return order == QueueOrder::lanes && pipeline->queues > 0; }

  /// This choice as options, of which none is `auto`.
  CastOptions options() const;
};

/// The valid block sizes in words, for messages.
inline constexpr const char* kBlockSizes = "a multiple of 32 from 32 to 1024";
/// True if kernels can be launched with blocks of `size` lanes.
bool is_block_size(u32 size);
/// Throws UsageError unless kernels can be launched with blocks of `size` lanes.
void require_block_size(u32 size);

/// True if the pipeline can use the strategy. Throws UsageError for unknown names.
bool takes(std::string_view pipeline, std::string_view atomics);

/// The meaning of the sum of the counter over all passes.
CounterMeaning counter_meaning_of(const CastChoice& choice);

/// The counts that a cast of `rays` rays with these leaf visits must have.
CastCounts expected_counts(const CastChoice& choice, u64 rays, const LeafVisits& visits);

/// The name of a loop, in the form of CastOptions::loop: "host:4".
std::string name_of(const Loop& loop);

/// A row of the table of orders.
struct QueueOrderInfo {
  QueueOrder order;
  std::string_view name;
  std::string_view summary;
};
/// The possible orders of queues; the first one is that of `auto`.
const std::vector<QueueOrderInfo>& queue_orders();
std::string name_of(QueueOrder order);

/// The rows of all pipelines, and the rows of all strategies from the fewest atomics to the most.
std::vector<PipelineInfo> pipelines();
std::vector<StrategyInfo> strategies();

}  // namespace ballotcast::detail
