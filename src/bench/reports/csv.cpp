// Results as comma-separated values: one header for all experiments, lines that end with \n, fields
// quoted as in RFC 4180. Fields without a value are empty.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/reports/formats.hpp"
#include "bench/reports/view.hpp"

namespace ballotcast::detail {

namespace {

struct CsvColumn {
  const char* name;
  std::string (*cell)(const Row& row);
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

template <class T>
std::string maybe(const std::optional<T>& value) {
  if constexpr (std::is_same_v<T, u64>)
    return value ? std::to_string(*value) : "";
  else
    return value ? number(*value) : "";
}

/// A member of the row's timing as text; empty if the row has no timing.
template <auto member>
std::string timing(const Row& row) {
  return row.timing ? number(static_cast<double>((*row.timing).*member)) : "";
}

std::string verdict(const Row& row) {
  switch (row.verdict) {
    case Verdict::right:
      return "right";
    case Verdict::wrong:
      return "wrong";
    case Verdict::skipped:
      break;
  }
  return "skipped";
}

/// The columns that follow the axes.
constexpr std::array<CsvColumn, 16> kColumns = {{
    {"verdict", verdict},
    {"why", [](const Row& row) { return row.why; }},
    {"items", [](const Row& row) { return std::to_string(row.items); }},
    {"median_ms", timing<&Timing::median_ms>},
    {"spread_relative", timing<&Timing::spread>},
    {"least_ms", timing<&Timing::least_ms>},
    {"runs", timing<&Timing::runs>},
    {"clock_mhz", timing<&Timing::clock_mhz>},
    {"throttled",
     [](const Row& row) {
       return std::string(!row.timing ? "" : row.timing->throttled ? "true" : "false");
     }},
    {"items_per_s", [](const Row& row) { return maybe(row.items_per_s()); }},
    {"bytes", [](const Row& row) { return maybe(row.bytes); }},
    {"bytes_per_s", [](const Row& row) { return maybe(bytes_per_s(row)); }},
    {"counter", [](const Row& row) { return maybe(row.counter); }},
    {"atomics", [](const Row& row) { return maybe(row.atomics); }},
    {"ratio_to_naive", [](const Row& row) { return maybe(row.ratio_to_naive); }},
    {"overhead_of_none_relative", [](const Row& row) { return maybe(row.overhead_of_none); }},
}};

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// The keys that occur in the member `values` of any row, in order of first appearance.
std::vector<std::string> keys_of(const Results& results, Values Row::*values) {
  std::vector<std::string> keys;
  for (const Row& row : results.rows)
    for (const auto& [key, value] : row.*values)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

std::string cell(const Values& values, const std::string& key) {
  const Value* value = find(values, key);
  return value == nullptr ? "" : quoted(in_words(*value));
}

}  // namespace

std::string csv_report(const Results& results) {
  const std::vector<std::string> axes = keys_of(results, &Row::axes);
  const std::vector<std::string> found = keys_of(results, &Row::found);

  std::string out = "experiment";
  for (const std::string& key : axes) {
    // A column gets another name if its key is already used, because most readers can't handle two
    // columns with the same name.
    const bool taken = key == "experiment" ||
                       std::any_of(kColumns.begin(), kColumns.end(),
                                   [&](const CsvColumn& column) { return key == column.name; });
    out += "," + quoted(taken ? "axis_" + key : key);
  }
  for (const CsvColumn& column : kColumns) out += "," + std::string(column.name);
  for (const std::string& key : found) out += "," + quoted("found_" + key);
  out += "\n";
  for (const Row& row : results.rows) {
    out += quoted(row.experiment);
    for (const std::string& key : axes) out += "," + cell(row.axes, key);
    for (const CsvColumn& column : kColumns) out += "," + quoted(column.cell(row));
    for (const std::string& key : found) out += "," + cell(row.found, key);
    out += "\n";
  }
  return out;
}

}  // namespace ballotcast::detail
