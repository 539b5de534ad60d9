// The axes of a benchmark: what it varies, and which values it tries.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// An axis: its name in rows, and its values.
struct Axis {
  std::string name;
  std::vector<Value> values;
};

using Axes = std::vector<Axis>;

/// The axis called `name`. Adds one without values if it does not exist.
Axis& axis_called(Axes& axes, const std::string& name);

/// The axes of `bases`. If an axis is also in `given`, its values are taken from there.
Axes with_given(Axes bases, const Axes& given);

/// All combinations of the values of all axes, in the form that rows use. The last axis changes
/// fastest.
std::vector<Values> product(const Axes& axes);

/// The value of the axis called `name`. `point` must have the axis, with a value of type T.
template <class T>
const T& value_at(const Values& point, const std::string& name) {
  return std::get<T>(*find(point, name));
}

// Convert elements of lists to axis values.
inline Value as_value(u32 value) { return u64{value}; }
inline Value as_value(double value) { return value; }
inline Value as_value(const std::string& value) { return value; }
inline Value as_value(const Value& value) { return value; }

/// Converts `list` to axis values.
template <class T>
std::vector<Value> values_of(const std::vector<T>& list) {
  std::vector<Value> values;
  for (const T& value : list) values.push_back(as_value(value));
  return values;
}

/// The values without repetitions, in the order of their first occurrence. For each repeated value,
/// adds a note that it is measured once only; `axis` is the name in this note.
template <class T>
std::vector<T> each_once(const std::string& axis, const std::vector<T>& values,
                         std::vector<std::string>& notes) {
  std::vector<T> once, told;
  const auto holds = [](const std::vector<T>& list, const T& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  for (const T& value : values) {
    if (!holds(once, value)) {
      once.push_back(value);
    } else if (!holds(told, value)) {
      told.push_back(value);
      notes.push_back(axis + " " + in_words(as_value(value)) +
                      " is listed more than once; it is measured once");
    }
  }
  return once;
}

}  // namespace ballotcast::detail
