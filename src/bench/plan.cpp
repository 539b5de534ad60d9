#include "bench/plan.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

/// The quantile of sorted `values` at the fraction `at` (0.5 for the median), interpolated between
/// neighbours.
double quantile(const std::vector<double>& values, double at) {
  const double place = at * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = place - static_cast<double>(below);
  return values[below] + (values[above] - values[below]) * share;
}

/// The text of all axes of a row except `axis`. Two rows have the same text if these axes are
/// equal.
std::string group_of(const Row& row, const std::string& axis) {
  std::string group;
  for (const auto& [key, value] : row.axes)
    if (key != axis) group += key + "=" + in_words(value) + "\n";
  return group;
}

}  // namespace

Timing timing_of(std::vector<double> times_ms) {
  std::sort(times_ms.begin(), times_ms.end());
  Timing timing;
  timing.median_ms = quantile(times_ms, 0.5);
  timing.least_ms = times_ms.front();
  timing.runs = static_cast<u32>(times_ms.size());
  if (timing.median_ms > 0.0)
    timing.spread = 0.5 * (quantile(times_ms, 0.75) - quantile(times_ms, 0.25)) / timing.median_ms;
  return timing;
}

Timing measure(const std::function<std::vector<double>(u32 runs)>& sample,
               const MeasureOptions& options) {
  sample(options.warm_up_runs);
  std::vector<double> times;
  double total = 0.0;
  for (;;) {
    const std::size_t left = options.most_runs - times.size();
    const auto runs = static_cast<u32>(std::min<std::size_t>(options.least_runs, left));
    // Takes slow runs one at a time, so that the time limit holds.
    const bool slow =
        !times.empty() &&
        total / static_cast<double>(times.size()) * static_cast<double>(runs) > options.most_ms;
    for (const double ms : sample(slow || times.empty() ? 1u : runs)) {
      times.push_back(ms);
      total += ms;
    }
    if (times.size() >= options.most_runs) break;
    if (times.size() >= options.fewest_runs && total >= options.most_ms) break;
    if (times.size() >= options.least_runs && timing_of(times).spread <= options.spread) break;
  }
  return timing_of(times);
}

void mark_throttled(std::vector<Row>& rows) {
  constexpr double kSteady = 0.97;
  double highest = 0.0;
  for (const Row& row : rows)
    if (row.timing) highest = std::max(highest, row.timing->clock_mhz);
  for (Row& row : rows)
    if (row.timing && row.timing->clock_mhz > 0.0)
      row.timing->throttled = row.timing->clock_mhz < kSteady * highest;
}

void judge(Row& row, const std::string& what, u64 expected, u64 got) {
  if (expected == got || row.verdict == Verdict::wrong) return;
  row.verdict = Verdict::wrong;
  row.why = what + ": expected " + std::to_string(expected) + ", got " + std::to_string(got);
}

std::vector<Row> carry_out(Plan plan, const std::function<void(u64 done, u64 total)>& progress) {
  std::vector<Row> rows;
  for (PlannedRow& planned : plan) {
    if (planned.row.verdict != Verdict::skipped) planned.fill(planned.row);
    rows.push_back(std::move(planned.row));
    if (progress) progress(rows.size(), plan.size());
  }
  mark_throttled(rows);
  return rows;
}

void relate(std::vector<Row>& rows, const std::string& experiment, const std::string& axis,
            const std::string& naive, const std::string& none) {
  const auto time_of = [&](const Row& like, const std::string& name) -> double {
    const std::string group = group_of(like, axis);
    for (const Row& row : rows) {
      const Value* value = find(row.axes, axis);
      if (row.experiment == experiment && row.timing && value && in_words(*value) == name &&
          group_of(row, axis) == group)
        return row.timing->median_ms;
    }
    return 0.0;
  };
  for (Row& row : rows) {
    if (row.experiment != experiment || !row.timing) continue;
    const double slow = time_of(row, naive), floor = time_of(row, none);
    if (slow > 0.0) row.ratio_to_naive = row.timing->median_ms / slow;
    if (floor > 0.0) row.overhead_of_none = row.timing->median_ms / floor - 1.0;
  }
}

}  // namespace ballotcast::detail
