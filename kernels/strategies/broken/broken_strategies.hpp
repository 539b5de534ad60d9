// Published strategies with their original errors. Tests use them to show that the checks find such
// errors. Benchmarks run them only on request; no pipeline uses them.
#pragma once

#include "kernels/strategies/broken/shared_column.hpp"
#include "kernels/strategies/broken/shared_flag_per_warp.hpp"
#include "kernels/strategies/broken/unguarded_flag.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using BrokenStrategies = TypeList<SharedColumn, SharedFlagPerWarp, UnguardedFlag>;

}  // namespace ballotcast::detail
