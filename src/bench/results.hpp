// The results of a benchmark: rows, facts about the machine and the run, and the axes that it
// varies. The reports (reports/) need nothing else.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The value of an axis or fact.
using Value = std::variant<std::string, double, u64>;

/// Named values in display order, e.g. {"block_size", 256}. Keys are snake_case and contain the
/// unit.
using Values = std::vector<std::pair<std::string, Value>>;

/// The value called `key`, or null if there is none.
const Value* find(const Values& values, const std::string& key);
/// A value as text: 0.01, 16777216, "random".
std::string in_words(const Value& value);

/// The device times of repeated runs.
struct Timing {
  double median_ms = 0.0;
  double spread = 0.0;  // half the distance between the quartiles, divided by the median
  double least_ms = 0.0;
  u32 runs = 0;
  double clock_mhz = 0.0;  // clock of the multiprocessors during the runs; 0: unknown
  bool throttled = false;  // the clock was clearly below the highest one of all rows
};

enum class Verdict {
  right,    // everything that could be checked is right
  wrong,    // something differs: `why` says what was expected and what came out; it is not timed
  skipped,  // not run; `why` says why
};

/// One measurement, or the reason why there is none.
struct Row {
  std::string experiment;  // the name of its experiment
  Values axes;             // its value on each axis
  Verdict verdict = Verdict::right;
  std::string why;
  std::optional<Timing> timing;  // only of right rows; absent in emulation, which has no times
  u64 items = 0;                 // number of rays, or of other things: see Experiment::items
  std::optional<u64> bytes;      // memory traffic that a run needs at least
  std::optional<u64> counter;    // value of the counter after one run
  std::optional<u64> atomics;    // number of atomic operations of one run
  // This row's time divided by the time of the naive row whose other axes are equal.
  std::optional<double> ratio_to_naive;
  // By how much this row takes longer than the row "none", as a fraction of the time of "none":
  // 0.02 is 2 %. Row "none" counts nothing, and its other axes are equal.
  std::optional<double> overhead_of_none;
  // Other results, e.g. {"lane_0_saw", "0x0000ffff"}, {"time_over_native", 2.0}.
  Values found;

  /// Items per second. Absent without a timing.
  std::optional<double> items_per_s() const;
};

/// An experiment: a table of rows with the same axes.
struct Experiment {
  std::string name;         // equal to Row::experiment
  std::string title;        // one line
  std::string text;         // a few sentences about what is compared
  std::string items;        // what Row::items counts: "rays", "values"
  bool about_rate = false;  // true: the important result is items per second, not time
};

/// All results of a benchmark.
struct Results {
  std::string title;
  Values facts;  // device, driver, clock, version, commit, command, cache
  // What a reader must know: for example that emulation has no times.
  std::vector<std::string> notes;
  bool counts_only = false;  // nothing was timed, because nobody asked for times
  double noise = 0.0;  // no relative difference below this is claimed, even between steady rows
  std::vector<Experiment> experiments;
  std::vector<Row> rows;

  bool any_wrong() const;
};

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
  std::vector<T> once, noted;
  const auto holds = [](const std::vector<T>& list, const T& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  for (const T& value : values) {
    if (!holds(once, value)) {
      once.push_back(value);
    } else if (!holds(noted, value)) {
      noted.push_back(value);
      notes.push_back(axis + " " + in_words(as_value(value)) +
                      " is listed more than once; it is measured once");
    }
  }
  return once;
}

}  // namespace ballotcast::detail
