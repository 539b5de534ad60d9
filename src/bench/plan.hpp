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

/// If `got` differs from `expected`, sets the row's verdict to wrong, and `why` to a text with both
/// values. `what` names the value. A row that is already wrong does not change.
void judge(Row& row, const std::string& what, u64 expected, u64 got);

/// Fills the rows of a plan, except those with the verdict skipped, and marks throttled rows. Calls
/// `progress`, if it is set, after each row. An exception that `fill` throws ends the run.
std::vector<Row> carry_out(Plan plan, const std::function<void(u64 done, u64 total)>& progress);

/// Computes ratio_to_naive and overhead_of_none for the rows of `experiment` that have a time. Each
/// row is compared with two rows that differ from it only in the axis `axis`: in one, the value of
/// this axis is `naive`; in the other, it is `none`.
void relate(std::vector<Row>& rows, const std::string& experiment, const std::string& axis,
            const std::string& naive, const std::string& none);

}  // namespace ballotcast::detail
