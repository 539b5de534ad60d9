// Strategies as they were published, with their errors: specimens that show that the checks can
// fail. Only tests, and benchmarks that are asked for them, use them; no pipeline does.
#pragma once

#include "kernels/strategies/broken/shared_column.hpp"
#include "kernels/strategies/broken/shared_flag_per_warp.hpp"
#include "kernels/strategies/broken/unguarded_flag.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using BrokenStrategies = TypeList<SharedColumn, SharedFlagPerWarp, UnguardedFlag>;

}  // namespace ballotcast::detail
