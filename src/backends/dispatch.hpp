// Names to types: once a launch, so that no kernel asks which strategy it is.
#pragma once

#include "backends/backend.hpp"
#include "bvh/layouts/table.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/pipelines/table.hpp"
#include "kernels/shadings/table.hpp"
#include "kernels/strategies/table.hpp"

namespace ballotcast::detail {

/// Throws UsageError: `pipeline` does not take `strategy`, but others.
template <class Pipeline>
[[noreturn]] void refuse_strategy(std::string_view strategy) {
  std::string message = "pipeline " + std::string(Pipeline::info.name) + " does not take atomics " +
                        std::string(strategy) + "; it takes:";
  const char* separator = " ";
  for (const StrategyInfo& row : rows_of(Strategies{}))
    if (Pipeline::takes(row)) {
      message.append(separator).append(row.name);
      separator = ", ";
    }
  throw UsageError(message);
}

/// Calls visit(TypeTag<Pipeline>, TypeTag<Strategy>) for the rows that `options` names. Throws
/// UsageError for names that don't exist or don't go together.
template <class Visit>
void dispatch_cast(const CastOptions& options, Visit&& visit) {
  dispatch(Pipelines{}, "pipeline", resolved_pipeline(options.pipeline, options.atomics),
           [&](auto pipeline) {
             using Pipeline = typename decltype(pipeline)::type;
             const std::string_view name = resolved_strategy(options.pipeline, options.atomics);
             dispatch(Strategies{}, "atomics", name, [&](auto strategy) {
               if constexpr (Pipeline::takes(decltype(strategy)::type::info))
                 visit(pipeline, strategy);
               else
                 refuse_strategy<Pipeline>(name);
             });
           });
}

/// Calls visit(TypeTag<Layout>) for the layout of an encoded tree.
template <class Visit>
void dispatch_layout(std::string_view layout, Visit&& visit) {
  dispatch(Layouts{}, "layout", layout, visit);
}

/// Calls visit(TypeTag<Shading>).
template <class Visit>
void dispatch_shading(std::string_view shading, Visit&& visit) {
  dispatch(Shadings{}, "shading", shading, visit);
}

/// Calls work(first, count) for `count` rays, `at_once` at a time.
template <class Work>
void in_parts(u64 count, u32 at_once, Work work) {
  for (u64 first = 0; first < count; first += at_once) {
    const u64 rest = count - first;
    work(first, static_cast<u32>(rest < at_once ? rest : at_once));
  }
}

/// The sum of what cast_some(first, count) counts. The parts are the same on every machine, so that
/// counters are.
template <class CastSome>
CastCounts cast_in_parts(u64 count, u32 at_once, CastSome cast_some) {
  CastCounts counts;
  in_parts(count, at_once, [&](u64 first, u32 part) { counts.add(cast_some(first, part)); });
  return counts;
}

}  // namespace ballotcast::detail
