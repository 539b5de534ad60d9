#include "bench/axis.hpp"

namespace ballotcast::detail {

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
