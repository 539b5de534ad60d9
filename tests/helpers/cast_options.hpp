// The options of casts that must all give the same bits.
#pragma once

#include <string>
#include <vector>

#include "backends/device/cast_choice.hpp"

namespace ballotcast::detail::testing {

/// Every pipeline with every strategy that it can use. Pipelines that have queues also occur with
/// order "lanes".
inline std::vector<CastOptions> ways_to_cast() {
  std::vector<CastOptions> ways;
  for (const PipelineInfo& pipeline : pipelines()) {
    const std::string name(pipeline.name);
    for (const StrategyInfo& strategy : strategies())
      if (takes(name, strategy.name)) ways.push_back({name, std::string(strategy.name)});
    if (pipeline.queues > 0) ways.push_back({name, "none", 256, "auto", "lanes"});
  }
  return ways;
}

}  // namespace ballotcast::detail::testing
