#include "bench/reports/columns.hpp"

#include <cmath>

#include "bench/reports/noise.hpp"

namespace ballotcast::detail {

namespace {

template <class Cell>
Column column(const std::string& head, const std::vector<const Row*>& rows, Cell cell) {
  Column made{head, {}};
  for (const Row* row : rows)
    made.cells.push_back(row->verdict == Verdict::right ? cell(*row) : std::string());
  return made;
}

/// The number of decimals that shows three significant digits of the shortest time; at most four.
int decimals_of(const std::vector<const Row*>& rows) {
  double least = 1000.0;
  for (const Row* row : rows)
    if (row->timing && row->timing->median_ms > 0.0)
      least = std::min(least, row->timing->median_ms);
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(least))), 0, 4);
}

std::vector<std::string> keys_of(const Values& values) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : values) keys.push_back(key);
  return keys;
}

}  // namespace

Column axis_column(const std::string& key, const std::vector<const Row*>& rows) {
  Column made{label_of(key), {}};
  for (const Row* row : rows) {
    const Value* value = find(row->axes, key);
    made.left |= value != nullptr && std::holds_alternative<std::string>(*value);
    made.cells.push_back(value == nullptr ? "-" : shown(*value));
  }
  return made;
}

std::string finding_in_words(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? three_digits(*number) : shown(value);
}

Values constant_findings(const View& view) {
  Values constants;
  if (view.rows.size() < 2) return constants;
  for (const std::string& key : view.found) {
    const Value* first = find(view.rows.front()->found, key);
    const bool same =
        first != nullptr && std::all_of(view.rows.begin(), view.rows.end(), [&](const Row* row) {
          const Value* value = find(row->found, key);
          return row->verdict == Verdict::right && value != nullptr && *value == *first;
        });
    if (same) constants.emplace_back(key, *first);
  }
  return constants;
}

Columns metrics_of(const View& view, const std::vector<const Row*>& rows, int level) {
  const int decimals = decimals_of(rows);
  Columns columns;
  const bool rate_says_it = level == 2 && view.experiment.about_rate;
  if (!rate_says_it)
    columns.push_back(column(kTime, rows, [&](const Row& row) {
      return row.timing ? fixed(row.timing->median_ms, decimals) : "";
    }));
  const bool stars = std::any_of(rows.begin(), rows.end(), [](const Row* row) {
    return row->timing && row->timing->throttled;
  });
  const Column spread = column(kSpread, rows, [&](const Row& row) {
    if (!row.timing) return std::string();
    return "±" + percent_in_words(row.timing->spread) +
           (row.timing->throttled ? "*"
            : stars               ? " "
                                  : "");
  });
  if (!rate_says_it) columns.push_back(spread);
  if (view.experiment.about_rate)
    columns.push_back(column("M " + view.experiment.items + "/s", rows, [](const Row& row) {
      return row.items_per_s() ? three_digits(*row.items_per_s() * 1e-6) : "";
    }));
  else if (level < 2)
    columns.push_back(column(view.experiment.items + "/s", rows, [](const Row& row) {
      const std::string rate = row.items_per_s() ? prefixed(*row.items_per_s()) : "";
      return rate.ends_with(' ') ? rate.substr(0, rate.size() - 1) : rate;
    }));
  if (rate_says_it) columns.push_back(spread);
  columns.push_back(column("GB/s", rows, [](const Row& row) {
    return bytes_per_s(row) ? three_digits(*bytes_per_s(row) * 1e-9) : "";
  }));
  columns.push_back(column(kToNaive, rows, [&](const Row& row) -> std::string {
    if (!row.ratio_to_naive) return "";
    const double ratio = *row.ratio_to_naive;
    if (ratio == 1.0) return "1";
    return is_within(view.noise_to_naive.at(&row), ratio) ? "~1" : three_digits(ratio);
  }));
  columns.push_back(column(kOverNone, rows, [&](const Row& row) -> std::string {
    if (!row.overhead_of_none) return "";
    const double share = *row.overhead_of_none * 100.0;
    if (share == 0.0) return "0 %";
    if (is_within(view.noise_over_none.at(&row), 1.0 + *row.overhead_of_none)) return "~0 %";
    const std::string size =
        std::abs(share) < 999.5 ? fixed(std::abs(share), 0) : three_digits(std::abs(share));
    return (share < 0.0 ? "-" : "+") + size + " %";
  }));
  columns.push_back(column(
      "atomics", rows, [](const Row& row) { return row.atomics ? grouped(*row.atomics) : ""; }));
  std::vector<std::string> found = without(view.found, keys_of(constant_findings(view)));
  if (level >= 1 && view.experiment.about_rate)
    found = without(without(found, "rays"), "triangles");
  for (const std::string& key : found)
    columns.push_back(column(label_of(key), rows, [&](const Row& row) -> std::string {
      const Value* value = find(row.found, key);
      return value == nullptr ? "" : finding_in_words(*value);
    }));
  if (level < 1)
    columns.push_back(column(
        "counter", rows, [](const Row& row) { return row.counter ? grouped(*row.counter) : ""; }));
  std::erase_if(columns, [](const Column& c) { return c.empty(); });
  return columns;
}

}  // namespace ballotcast::detail
