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

/// Names and values in display order, e.g. {"block_size", 256}. Names are snake_case and contain
/// the unit.
using Values = std::vector<std::pair<std::string, Value>>;

/// The value called `key`, or null if there is none.
const Value* find(const Values& values, const std::string& key);
/// A value as text: 0.01, 16777216, "random".
std::string in_words(const Value& value);

/// The summary of the device times of several runs of the same work.
struct Timing {
  double median_ms = 0.0;
  double spread = 0.0;  // half the distance between the quartiles, divided by the median
  double least_ms = 0.0;
  u32 runs = 0;
  double clock_mhz = 0.0;  // clock rate of the multiprocessors during the runs; 0 if unknown
  // True if the clock rate was clearly lower than the highest one of all rows
  bool throttled = false;
};

enum class Verdict {
  right,    // all checks have passed
  wrong,    // a result is not the expected one: `why` states both; the row is not timed
  skipped,  // not run, for the reason `why`
};

/// One measurement, or the reason why there is none.
struct Row {
  std::string experiment;  // name of the experiment that the row belongs to
  Values axes;             // the row's value on each axis
  Verdict verdict = Verdict::right;
  std::string why;
  // Present only in right rows; absent in emulation, which has no times
  std::optional<Timing> timing;
  u64 items = 0;             // number of rays, or of the other things that Experiment::items names
  std::optional<u64> bytes;  // bytes of memory traffic that a run needs at least
  std::optional<u64> counter;  // value of the counter after one run
  std::optional<u64> atomics;  // number of atomic operations of one run
  // This row's time divided by the time of the row of strategy naive whose other axes are equal.
  std::optional<double> ratio_to_naive;
  // By how much this row takes longer than the row of strategy none, as a fraction of the time of
  // that row: 0.02 is 2 %. Strategy none counts nothing. The other axes of that row are equal.
  std::optional<double> overhead_of_none;
  // Other results, e.g. {"lane_0_saw", "0x0000ffff"}, {"time_over_native", 2.0}.
  Values found;

  /// Items per second. Absent without a timing.
  std::optional<double> items_per_s() const;
};

/// An experiment: a table of rows with the same axes.
struct Experiment {
  std::string name;         // name, equal to Row::experiment of its rows
  std::string title;        // title in one line
  std::string text;         // a few sentences about what the experiment compares
  std::string items;        // what Row::items counts: "rays", "values"
  bool about_rate = false;  // true if the important result is items per second instead of time
};

/// All results of a benchmark.
struct Results {
  std::string title;
  Values facts;  // device, driver, clock, version, commit, command, cache
  // Notes that a reader must know: for example, that emulation has no times.
  std::vector<std::string> notes;
  bool counts_only = false;  // true if nothing was timed because no times were requested
  // The smallest relative difference that is claimed, even between rows with small spreads
  double noise = 0.0;
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

/// The axis called `name`. If it does not exist, adds it without values.
Axis& axis_called(Axes& axes, const std::string& name);

/// The axes of `bases`. An axis that is also in `given` has its values from there.
Axes with_given(Axes bases, const Axes& given);

/// All combinations of the values of all axes, as rows have them. The last axis changes fastest.
std::vector<Values> product(const Axes& axes);

/// The value of the axis called `name` in `point`, which must have this axis with a value of type
/// T.
template <class T>
const T& value_at(const Values& point, const std::string& name) {
  return std::get<T>(*find(point, name));
}

// Convert an element of a list to an axis value.
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

/// Returns the values without repetitions, in the order of their first occurrence. For each
/// repeated value, adds a note that it is measured only once; `axis` is the name in this note.
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
