// The rows that a benchmark is going to measure, and what they share: checks, times, ratios.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace ballotcast::detail {

/// A row that is not measured yet. `fill` sets its verdict, counter, atomics and timing.
struct PlannedRow {
  Row row;
  std::function<void(Row&)> fill;
};

using Plan = std::vector<PlannedRow>;

/// Sets a row's verdict: right if `got` equals `expected`, else wrong, with both values in `why`.
void judge(Row& row, const std::string& what, u64 expected, u64 got);

/// Runs every row of a plan. A UsageError or DeviceError that `fill` throws ends the run.
std::vector<Row> carry_out(Plan plan, const std::function<void(u64 done, u64 total)>& progress);

/// Computes ratio_to_naive and overhead_of_none for rows of `experiment`. Rows are compared if all
/// axes except `axis` are equal: with the row whose `axis` is `naive`, and with the row whose
/// `axis` is `none`.
void relate(std::vector<Row>& rows, const std::string& experiment, const std::string& axis,
            const std::string& naive, const std::string& none);

}  // namespace ballotcast::detail
