// Measures until the result is steady: warm-up, enough runs, median and spread.
#pragma once

#include <functional>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// When to stop measuring.
struct MeasureOptions {
  double spread = 0.005;   // stop when Timing::spread is at most this,
  u32 least_runs = 10;     // ... but not before this many runs
  u32 most_runs = 200;     // always stop after this many runs
  double most_ms = 250.0;  // stop after this much time, not counting the warm-up,
  u32 fewest_runs = 3;     // ... but not before this many runs: fewer have no spread
  u32 warm_up_runs = 3;    // runs before the first timed one
};

/// Measures something. sample(runs) must run it `runs` times in a row and return the milliseconds
/// of each run. Runs follow each other directly, so caches are as warm as the previous run leaves
/// them.
Timing measure(const std::function<std::vector<double>(u32 runs)>& sample,
               const MeasureOptions& options);

/// Median, spread and minimum of `times_ms`, which must not be empty.
Timing timing_of(std::vector<double> times_ms);

/// Marks a row as throttled if its clock is more than 3 % below the highest clock of all rows.
void mark_throttled(std::vector<Row>& rows);

}  // namespace ballotcast::detail
