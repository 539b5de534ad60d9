// Measuring until the answer is steady: warm-up, enough runs, median and spread.
#pragma once

#include <functional>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// When to stop measuring one thing.
struct MeasureOptions {
  double spread = 0.005;   // enough, of Timing::spread
  u32 least_runs = 10;     // before that is believed
  u32 most_runs = 200;     //
  double most_ms = 250.0;  // of runs, warm-up left out
  u32 fewest_runs = 3;     // however long they take: fewer have no spread to tell
  u32 warm_up_runs = 3;    // thrown away
};

/// sample(runs) runs the thing `runs` times in a row and returns the milliseconds of each. Runs
/// follow each other with nothing in between, so caches are as warm as the thing leaves them.
Timing measure(const std::function<std::vector<double>(u32 runs)>& sample,
               const MeasureOptions& options);

/// Median, spread and least of `times_ms`, which isn't empty.
Timing timing_of(std::vector<double> times_ms);

/// Marks as throttled the rows whose clock lies more than 3 % under the highest of all.
void mark_throttled(std::vector<Row>& rows);

}  // namespace ballotcast::detail
