// Converts the rows of a CastChoice to types, once per batch of rays, so that kernels contain no
// branches on the strategy. Every file that includes this one is compiled again when any strategy
// changes.
#pragma once

#include "backends/device/cast_choice.hpp"
#include "kernels/pipelines/pipelines.hpp"
#include "kernels/strategies/strategies.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Calls visit(TypeTag<Pipeline>, TypeTag<Strategy>) with the types of the rows of a choice. Does
/// nothing if the pipeline can't use the strategy.
template <class Visit>
void dispatch_cast(const CastChoice& choice, Visit&& visit) {
  dispatch_row(Pipelines{}, choice.pipeline, [&](auto pipeline) {
    dispatch_row(Strategies{}, choice.strategy, [&](auto strategy) {
      using Pipeline = typename decltype(pipeline)::type;
      constexpr StrategyInfo info = decltype(strategy)::type::info;
      if constexpr (Pipeline::takes(info) || queues_in_order<Pipeline>(info))
        visit(pipeline, strategy);
    });
  });
}

}  // namespace ballotcast::detail
