// The axes of a benchmark: what is varied, and by which values.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A value of a list as a value of an axis.
inline Value as_value(u32 value) { return u64{value}; }
inline Value as_value(double value) { return value; }
inline Value as_value(const std::string& value) { return value; }

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
                      " was asked for more than once: it is " + "measured once");
    }
  }
  return once;
}

}  // namespace ballotcast::detail
