#include "bench/plan.hpp"

namespace ballotcast::detail {

namespace {

/// All axes of a row except `axis`, as text. Rows have the same text if these axes are equal.
std::string group_of(const Row& row, const std::string& axis) {
  std::string group;
  for (const auto& [key, value] : row.axes)
    if (key != axis) group += key + "=" + in_words(value) + "\n";
  return group;
}

}  // namespace

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
