// The rows of the experiments `synthetic`, `slots` and `placement`.
#pragma once

#include "backends/synthetic_runner.hpp"
#include "bench/atomics.hpp"
#include "bench/plan.hpp"

namespace ballotcast::detail {

/// Adds the requested rows of these three experiments to `plan`. `lab` must outlive the plan.
/// `timed` is true if times have a meaning on this machine and millions of rays are possible.
void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan);

}  // namespace ballotcast::detail
