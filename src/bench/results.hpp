// What a benchmark found: rows and the circumstances under which they came about. Every report
// (reports/) is a view of this and of nothing else.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A value of an axis or fact.
using Value = std::variant<std::string, double, u64>;

/// Named values in the order in which they are shown, e.g. {"block_size", 256}. Keys are
/// snake_case and carry units.
using Values = std::vector<std::pair<std::string, Value>>;

/// The value called `key`, or null.
const Value* find(const Values& values, const std::string& key);
/// A value in words: 0.01, 16777216, "random".
std::string in_words(const Value& value);

/// Device times of one thing, measured again and again.
struct Timing {
  double median_ms = 0.0;
  double spread = 0.0;  // half the distance between the quartiles, over the median
  double least_ms = 0.0;
  u32 runs = 0;
  double clock_mhz = 0.0;  // of the multiprocessors while it ran; 0: not known
  bool throttled = false;  // the clock fell behind the highest one seen in this session
};

enum class Verdict {
  right,    // everything that could be checked was, and is right
  wrong,    // something differs: `why` says what was expected and got; there is no time
  skipped,  // not run: `why` says why
};

/// One measurement, or why there is none.
struct Row {
  std::string experiment;  // which table it belongs to
  Values axes;             // what was asked for
  Verdict verdict = Verdict::right;
  std::string why;
  std::optional<Timing> timing;            // absent in emulation, where time means nothing
  u64 items = 0;                           // rays, or whatever the experiment counts
  std::optional<u64> bytes;                // moved through memory by a run, at the least
  std::optional<u64> counter;              // what the counter holds after one run
  std::optional<u64> atomics;              // atomic operations issued in one run
  std::optional<double> ratio_to_naive;    // time over that of the row that is the same but naive
  std::optional<double> overhead_of_none;  // time over that of the same row with none, minus 1
  Values found;  // what else came out, e.g. {"lane_0_saw", "0x0000ffff"}, {"time_over_native", 2.0}

  /// items a second, in units of 1; only with a timing.
  std::optional<double> items_per_s() const;
};

/// An experiment: a table of rows with the same axes.
struct Experiment {
  std::string name;         // as in Row::experiment
  std::string title;        // one line
  std::string text;         // what is compared, a few sentences
  std::string items;        // what Row::items counts: "rays", "values"
  bool about_rate = false;  // is what matters items a second, rather than time?
};

/// Everything a benchmark found.
struct Results {
  std::string title;
  Values facts;                    // device, driver, clock, version, commit, command, cache
  std::vector<std::string> notes;  // what a reader must know, e.g. that emulation has no times
  double noise = 0.0;  // relative difference below which none is claimed, however steady rows are
  std::vector<Experiment> experiments;
  std::vector<Row> rows;

  bool any_wrong() const;
};

}  // namespace ballotcast::detail
