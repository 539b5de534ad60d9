// The axes of a benchmark: what is varied, and by which values.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// An axis, as rows call it, and the values that it takes.
struct Axis {
  std::string name;
  std::vector<Value> values;
};

using Axes = std::vector<Axis>;

/// The axis called `name`; one without values is added if there is none.
Axis& axis_called(Axes& axes, const std::string& name);

/// `bases`, where those that are also `given` have the values given.
Axes with_given(Axes bases, const Axes& given);

/// Each value of each axis with each of the others, as rows have them. The last axis changes
/// fastest.
std::vector<Values> product(const Axes& axes);

/// The value of the axis called `name`, which `point` has and which is of type T.
template <class T>
const T& value_at(const Values& point, const std::string& name) {
  return std::get<T>(*find(point, name));
}

// Values of lists as values of an axis.
inline Value as_value(u32 value) { return u64{value}; }
inline Value as_value(double value) { return value; }
inline Value as_value(const std::string& value) { return value; }
inline Value as_value(const Value& value) { return value; }

/// `list` as values of an axis.
template <class T>
std::vector<Value> values_of(const std::vector<T>& list) {
  std::vector<Value> values;
  for (const T& value : list) values.push_back(as_value(value));
  return values;
}

/// Each of `values` once, in the order of their first mentions. A note tells which value of `axis`
/// was asked for again: it is not measured again.
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
                      " was asked for more than once: it is measured once");
    }
  }
  return once;
}

}  // namespace ballotcast::detail
