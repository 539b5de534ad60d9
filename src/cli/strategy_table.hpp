// What the strategies are in machine code, as `info --atomics` shows it.
#pragma once

#include "bench/strategy_code.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// A table of 80 columns, a row for each strategy, call and architecture; or why there is none.
std::string strategy_table(const StrategyCodes& codes);

/// The same as {"rows": [...], "why_none": ...}, with every class of instruction in each row.
Json strategy_json(const StrategyCodes& codes);

}  // namespace ballotcast::detail
