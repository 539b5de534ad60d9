// The plan of a benchmark: the rows that it is going to measure. Also what all benchmarks need:
// measuring until the result is steady (warm-up, enough runs, median and spread), checks, and
// ratios.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/results.hpp"
#include "math/ray_hit.hpp"
#include "support/threads/parallel.hpp"

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

/// Measures repeated runs. sample(runs) must run the measured work `runs` times in a row and return
/// the milliseconds of each run. There is no other work between runs, so the caches have the
/// content that the previous run has left.
Timing measure(const std::function<std::vector<double>(u32 runs)>& sample,
               const MeasureOptions& options);

/// The Timing of runs with these times. `times_ms` must not be empty.
Timing timing_of(std::vector<double> times_ms);

/// Marks a row as throttled if its clock is more than 3 % below the highest clock of all rows.
void mark_throttled(std::vector<Row>& rows);

/// A row that has not been measured yet. `fill` sets its verdict, counter, atomics and timing.
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

/// The number of indices i for which differ(a[i], b[i]) is true. `b` must be at least as long as
/// `a`.
template <class Differ>
u64 count_different(const std::vector<Hit>& a, const std::vector<Hit>& b, Differ differ) {
  return reduce_ranges<std::size_t>(
      0, a.size(), 65536, u64{0},
      [&](std::size_t begin, std::size_t end, u64 count) {
        for (std::size_t i = begin; i < end; ++i) count += differ(a[i], b[i]);
        return count;
      },
      [](u64 x, u64 y) { return x + y; });
}

/// The number of hits that differ in at least one bit.
inline u64 count_different(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  return count_different(a, b, [](const Hit& x, const Hit& y) { return !same_bits(x, y); });
}

}  // namespace ballotcast::detail
