// The rows of the synthetic experiments: synthetic, slots, placement.
#pragma once

#include "backends/synthetic_runner.hpp"
#include "bench/atomics.hpp"
#include "bench/plan.hpp"

namespace ballotcast::detail {

/// Adds the rows of experiments `synthetic`, `slots` and `placement` that are asked for. `lab` must
/// outlive the plan. `timed`: does time mean anything there, and may there be millions of rays?
void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan);

}  // namespace ballotcast::detail
