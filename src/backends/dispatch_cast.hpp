// From the rows of a CastChoice to types: once per launch, so that no kernel asks which strategy it
// is. Whoever includes this compiles again when a strategy changes.
#pragma once

#include "backends/cast_choice.hpp"
#include "kernels/pipelines/table.hpp"
#include "kernels/strategies/table.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Calls visit(TypeTag<Pipeline>, TypeTag<Strategy>) for the rows of a choice.
template <class Visit>
void dispatch_cast(const CastChoice& choice, Visit&& visit) {
  dispatch_row(Pipelines{}, choice.pipeline, [&](auto pipeline) {
    dispatch_row(Strategies{}, choice.strategy, [&](auto strategy) {
      using Pipeline = typename decltype(pipeline)::type;
      if constexpr (Pipeline::takes(decltype(strategy)::type::info)) visit(pipeline, strategy);
    });
  });
}

}  // namespace ballotcast::detail
