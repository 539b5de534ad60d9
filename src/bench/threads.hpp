// Experiment threads: the question of the other experiments, asked of CPU threads. Each does its
// share of the work and adds its hits to a sum that all want.
#pragma once

#include <string_view>
#include <vector>

#include "bench/atomics.hpp"

namespace ballotcast::detail {

/// A way in which threads add up.
struct ThreadWayInfo {
  std::string_view name;
  std::string_view summary;
};

/// The table of ways, from the fewest atomics to the most.
std::vector<ThreadWayInfo> thread_ways();

/// Adds the requested rows of experiment threads to `plan`. The axes are those of experiment
/// synthetic that threads have, too (see is_of_lanes), and threads (default: all of this machine).
void plan_threads(const AtomicsRequest& request, Plan& plan);

}  // namespace ballotcast::detail
