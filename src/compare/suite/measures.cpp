#include "compare/suite/measures.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace ballotcast::detail {

namespace {

struct Measure {
  std::string_view name;
  double (*of)(const Comparison& comparison);
};

/// The measures that are exact counts. The metrics follow them.
constexpr std::array<Measure, 2> kCounted = {{
    {"max_error", [](const Comparison& c) { return static_cast<double>(c.max_error); }},
    {"different_percent", [](const Comparison& c) { return c.percent_different(); }},
}};

}  // namespace

bool is_measure(std::string_view name) {
  const auto called = [&](const auto& row) { return row.name == name; };
  return std::any_of(kCounted.begin(), kCounted.end(), called) ||
         std::any_of(metrics().begin(), metrics().end(), called);
}

std::string measure_names() {
  std::string names;
  const auto add = [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Measure& row : kCounted) add(row.name);
  for (const Metric& row : metrics()) add(row.name);
  return names;
}

bool lower_is_better(std::string_view name) {
  for (const Metric& row : metrics())
    if (row.name == name) return row.lower_is_better;
  return true;
}

double measure_of(std::string_view name, const Comparison& comparison) {
  for (const Measure& row : kCounted)
    if (row.name == name) return row.of(comparison);
  for (const MetricValue& value : comparison.values)
    if (value.metric->name == name) return value.value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace ballotcast::detail
