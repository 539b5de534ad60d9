// Published strategies with their original errors. They show that the checks can fail. Only tests
// use them, and benchmarks if they are asked to; no pipeline does.
#pragma once

#include "kernels/strategies/broken/shared_column.hpp"
#include "kernels/strategies/broken/shared_flag_per_warp.hpp"
#include "kernels/strategies/broken/unguarded_flag.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using BrokenStrategies = TypeList<SharedColumn, SharedFlagPerWarp, UnguardedFlag>;

}  // namespace ballotcast::detail
