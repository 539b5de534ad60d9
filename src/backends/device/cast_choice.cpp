#include "backends/device/cast_choice.hpp"

#include <charconv>

#include "backends/device/dispatch_cast.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kAuto = "auto";

/// The strategy called `name`. For `auto`, the default strategy of the pipeline with this order of
/// queues.
template <class Pipeline>
const StrategyInfo* strategy_for(std::string_view name, QueueOrder order = QueueOrder::any) {
  const bool none = order == QueueOrder::lanes && Pipeline::info.queues > 0;
  const std::string_view automatic = none ? None::info.name : Pipeline::kAutoStrategy;
  return row_called(Strategies{}, "atomics", name == kAuto ? automatic : name);
}

template <class Pipeline>
[[noreturn]] void refuse(const StrategyInfo& strategy) {
  std::string message = "pipeline " + std::string(Pipeline::info.name) + " can't use atomics " +
                        std::string(strategy.name) + "; it can use:";
  const char* separator = " ";
  for (const StrategyInfo& row : rows_of(Strategies{}))
    if (Pipeline::takes(row)) {
      message.append(separator).append(row.name);
      separator = ", ";
    }
  throw UsageError(message);
}

/// Throws UsageError unless the pipeline can use this strategy with this order of queues.
template <class Pipeline>
void require_taken(const StrategyInfo& strategy, QueueOrder order) {
  if (order == QueueOrder::any || Pipeline::info.queues == 0) {
    if (!Pipeline::takes(strategy)) refuse<Pipeline>(strategy);
  } else if (!queues_in_order<Pipeline>(strategy)) {
    throw UsageError(
        "queues in the order of lanes are made without atomics: order lanes can't use "
        "atomics " +
        std::string(strategy.name) + "; it can use: " + std::string(None::info.name));
  }
}

/// The pipeline called `name`. For `auto`, the fastest pipeline if it can use `atomics`, else the
/// last pipeline of the table that can, because later rows are faster. If no pipeline can, returns
/// the fastest one, and the caller reports the error.
const PipelineInfo* pipeline_for(std::string_view name, std::string_view atomics) {
  if (name != kAuto) return row_called(Pipelines{}, "pipeline", name);
  if (atomics == kAuto) return row_called(Pipelines{}, "pipeline", kAutoPipeline);
  const StrategyInfo& strategy = *row_called(Strategies{}, "atomics", atomics);
  const PipelineInfo* best = nullptr;
  const auto consider = [&](auto tag) {
    using Pipeline = typename decltype(tag)::type;
    if (!Pipeline::takes(strategy)) return;
    if (!best || best->name != kAutoPipeline) best = &Pipeline::info;
  };
  each_row(Pipelines{}, consider);
  return best ? best : row_called(Pipelines{}, "pipeline", kAutoPipeline);
}

Loop loop_called(std::string_view name, Loop automatic) {
  constexpr std::string_view kEvery = "host:";
  constexpr u32 kMostPasses = 1024;  // largest number of passes between two readings of the counter
  if (name == kAuto) return automatic;
  if (name == "host") return Loop{Loop::Who::host, 1};
  if (name == "graph") return Loop{Loop::Who::graph, 1};
  if (name.substr(0, kEvery.size()) != kEvery)
    throw_unknown("loop", name, {"auto", "host", "host:K", "graph"});
  const std::string_view digits = name.substr(kEvery.size());
  u32 every = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), every);
  if (error != std::errc() || end != digits.data() + digits.size() || every < 1 ||
      every > kMostPasses)
    throw UsageError("loop '" + std::string(name) + "': K in host:K must be from 1 to " +
                     std::to_string(kMostPasses) + ", e.g. host:8");
  return Loop{Loop::Who::host, every};
}

QueueOrder order_called(std::string_view name) {
  const std::vector<QueueOrderInfo>& rows = queue_orders();
  if (name == kAuto) return rows.front().order;
  for (const QueueOrderInfo& row : rows)
    if (row.name == name) return row.order;
  throw_unknown("order", name, names_of(rows, kAuto));
}

}  // namespace

CastChoice::CastChoice(const CastOptions& options, Loop automatic)
    : pipeline(pipeline_for(options.pipeline, options.atomics)),
      strategy(nullptr),
      block_size(options.block_size),
      loop(loop_called(options.loop, automatic)),
      order(order_called(options.order)) {
  dispatch_row(Pipelines{}, pipeline, [&](auto tag) {
    using Pipeline = typename decltype(tag)::type;
    strategy = strategy_for<Pipeline>(options.atomics, order);
    require_taken<Pipeline>(*strategy, order);
  });
  require_block_size(block_size);
}

CastOptions CastChoice::options() const {
  return {std::string(pipeline->name), std::string(strategy->name), block_size, name_of(loop),
          name_of(order)};
}

bool is_block_size(u32 size) {
  static_assert(kWarpSize == 32 && kLargestBlock == 1024, "kBlockSizes says so");
  return size >= kWarpSize && size <= kLargestBlock && size % kWarpSize == 0;
}

void require_block_size(u32 size) {
  if (!is_block_size(size))
    throw UsageError("block size " + std::to_string(size) + ": must be " + kBlockSizes);
}

bool takes(std::string_view pipeline, std::string_view atomics) {
  bool taken = false;
  dispatch_row(Pipelines{}, pipeline_for(pipeline, atomics), [&](auto tag) {
    using Pipeline = typename decltype(tag)::type;
    taken = Pipeline::takes(*strategy_for<Pipeline>(atomics));
  });
  return taken;
}

CounterMeaning counter_meaning_of(const CastChoice& choice) {
  CounterMeaning meaning = CounterMeaning::nothing;
  dispatch_row(Pipelines{}, choice.pipeline,
               [&](auto tag) { meaning = decltype(tag)::type::counter_meaning(*choice.strategy); });
  return meaning;
}

CastCounts expected_counts(const CastChoice& choice, u64 rays, const LeafVisits& visits) {
  CastCounts counts;
  dispatch_row(Pipelines{}, choice.pipeline, [&](auto tag) {
    counts = counts_from<typename decltype(tag)::type>(*choice.strategy, rays, visits);
  });
  return counts;
}

std::string name_of(const Loop& loop) {
  if (loop.who == Loop::Who::graph) return "graph";
  return loop.every == 1 ? "host" : "host:" + std::to_string(loop.every);
}

const std::vector<QueueOrderInfo>& queue_orders() {
  static const std::vector<QueueOrderInfo> rows = {
      {QueueOrder::any, "any", "slots by atomics, as blocks happen to run"},
      {QueueOrder::lanes, "lanes", "the order of rays, the same at each run, without atomics"}};
  return rows;
}

std::string name_of(QueueOrder order) {
  for (const QueueOrderInfo& row : queue_orders())
    if (row.order == order) return std::string(row.name);
  return "";
}

std::vector<PipelineInfo> pipelines() { return rows_of(Pipelines{}); }
std::vector<StrategyInfo> strategies() { return rows_of(Strategies{}); }

}  // namespace ballotcast::detail
