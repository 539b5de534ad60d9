// A benchmark's rows to come, and what they share: checking, timing, relating to each other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace ballotcast::detail {

/// A row still to be measured: `fill` sets verdict, counter, atomics and timing.
struct PlannedRow {
  Row row;
  std::function<void(Row&)> fill;
};

using Plan = std::vector<PlannedRow>;

/// Sets a row's verdict: right if `got` is `expected`, else wrong with both in words.
void judge(Row& row, const std::string& what, u64 expected, u64 got);

/// Runs every row of a plan. A UsageError or DeviceError out of `fill` ends it all.
std::vector<Row> carry_out(Plan plan, const std::function<void(u64 done, u64 total)>& progress);

/// Fills ratio_to_naive and overhead_of_none: of rows of one experiment whose axes are equal but
/// for `axis`, the one called `naive` is the measure, and the one called `none` the floor.
void relate(std::vector<Row>& rows, const std::string& experiment, const std::string& axis,
            const std::string& naive, const std::string& none);

}  // namespace ballotcast::detail
