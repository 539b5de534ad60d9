// Strategies as they were published, wrong as they were: specimens that show that checks can fail.
// Only tests and benchmarks that are asked for them reach them; no pipeline takes them.
#pragma once

#include "kernels/strategies/broken/shared_column.hpp"
#include "kernels/strategies/broken/shared_flag_per_warp.hpp"
#include "kernels/strategies/broken/unguarded_flag.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using BrokenStrategies = TypeList<SharedColumn, SharedFlagPerWarp, UnguardedFlag>;

}  // namespace ballotcast::detail
