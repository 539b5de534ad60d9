// What a comparison means: limits, and the words and exit codes of the three outcomes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/comparison.hpp"

namespace ballotcast::detail {

/// What two pictures are to each other.
enum class Outcome { same, within_limits, different };

/// A row of the table of outcomes.
struct OutcomeInfo {
  Outcome outcome;
  std::string_view words;
  int exit_code;
};

/// The table: "same" 0, "within limits" 0, "different" 1.
std::span<const OutcomeInfo> outcomes();

/// A limit for a metric's value: the most, or the least where higher is better.
struct MetricLimit {
  const Metric* metric;
  double limit;
};

/// How much pictures may differ; without any limit not at all, and else each limit must hold.
struct Limits {
  std::optional<double> fail_percent;  // of the pixels compared that may differ
  std::optional<u32> max_error;        // of any sample, in steps of the deeper picture
  std::vector<MetricLimit> metrics;
};

/// A limit for the metric called `name`. Throws UsageError when there is none such, or `limit` is
/// no value that it can have: NaN, or one that it never reaches or always keeps.
MetricLimit metric_limit(std::string_view name, double limit);

/// A limit held against what was found.
struct JudgedLimit {
  std::string name;  // "percent different", "max error", or a metric's
  bool at_most;      // else at least
  double limit;
  double value;
  bool holds;
};

/// The outcome of a comparison, and why.
struct Judgement {
  OutcomeInfo outcome;
  std::vector<JudgedLimit> limits;  // every one that was set
};

/// Judges a comparison. A value that isn't defined (NaN) keeps no limit. Throws UsageError for a
/// max_error that no sample of these pictures can reach.
Judgement judge(const Comparison& comparison, const Limits& limits);

}  // namespace ballotcast::detail
