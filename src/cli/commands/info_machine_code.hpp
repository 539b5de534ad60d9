// The output of `ballotcast info --atomics`: the strategies in the program's machine code.
#pragma once

#include <string>

#include "bench/machine_code.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// A table of 80 columns with one row per strategy, operation (report or reserve) and
/// architecture. If there is no machine code to read, the reason instead.
std::string strategy_table(const StrategyCodes& codes);

/// The same as JSON, {"rows": [...], "why_none": ...}, with all classes of instructions in each
/// row.
Json strategy_json(const StrategyCodes& codes);

}  // namespace ballotcast::detail
