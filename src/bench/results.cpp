#include "bench/results.hpp"

#include <algorithm>
#include <cstdio>

namespace ballotcast::detail {

const Value* find(const Values& values, const std::string& key) {
  for (const auto& [name, value] : values)
    if (name == key) return &value;
  return nullptr;
}

std::string in_words(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<u64>(&value)) return std::to_string(*whole);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", std::get<double>(value));
  return text;
}

std::optional<double> Row::items_per_s() const {
  if (!timing || timing->median_ms <= 0.0) return std::nullopt;
  return static_cast<double>(items) / (timing->median_ms * 1e-3);
}

bool Results::any_wrong() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Row& row) { return row.verdict == Verdict::wrong; });
}

Axis& axis_called(Axes& axes, const std::string& name) {
  for (Axis& axis : axes)
    if (axis.name == name) return axis;
  return axes.emplace_back(Axis{name, {}});
}

Axes with_given(Axes bases, const Axes& given) {
  for (Axis& base : bases)
    for (const Axis& axis : given)
      if (axis.name == base.name) base.values = axis.values;
  return bases;
}

std::vector<Values> product(const Axes& axes) {
  std::vector<Values> points(1);
  for (const Axis& axis : axes) {
    std::vector<Values> longer;
    for (const Values& point : points)
      for (const Value& value : axis.values) {
        longer.push_back(point);
        longer.back().emplace_back(axis.name, value);
      }
    points = std::move(longer);
  }
  return points;
}

}  // namespace ballotcast::detail
