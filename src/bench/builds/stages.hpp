// Measures a build and its stages.
#pragma once

#include <functional>
#include <vector>

#include "ballotcast/frame.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// The time of a build, and the median of each of its stages: {"sort_ms", 0.6}.
struct BuildTimes {
  Timing whole;
  Values stages;
};

/// Calls build(), which builds once and returns the milliseconds of its stages, until the sum of
/// these is steady. `warm_ups` calls come before that.
BuildTimes time_build(const std::function<std::vector<StageTime>()>& build, u32 warm_ups);

}  // namespace ballotcast::detail
