#include <algorithm>
#include <array>
#include <cstdio>

#include "ballotcast/compare.hpp"
#include "compare/comparison.hpp"
#include "support/error.hpp"

namespace ballotcast {

namespace {

std::string in_words(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

JudgedLimit judged(std::string name, bool at_most, double limit, double value) {
  // Written so that a NaN in either value breaks the limit.
  const bool broken = at_most ? !(value <= limit) : !(value >= limit);
  return {std::move(name), at_most, limit, value, !broken};
}

}  // namespace

OutcomeInfo detail::outcome_of(bool same, const std::vector<JudgedLimit>& limits) {
  const bool hold =
      !limits.empty() &&
      std::all_of(limits.begin(), limits.end(), [](const JudgedLimit& row) { return row.holds; });
  const Outcome outcome = same ? Outcome::same : hold ? Outcome::within_limits : Outcome::different;
  return outcomes()[static_cast<std::size_t>(outcome)];
}

Span<const OutcomeInfo> outcomes() {
  static constexpr std::array<OutcomeInfo, 3> table = {{
      {Outcome::same, "same", 0},
      {Outcome::within_limits, "within limits", 0},
      {Outcome::different, "different", 1},
  }};
  return table;
}

MetricLimit metric_limit(std::string_view name, double limit) {
  const Metric& metric = metric_called(name);
  if (!(limit >= metric.least && limit <= metric.most))
    throw UsageError("limit " + in_words(limit) + ": " + std::string(name) + " lies between " +
                     in_words(metric.least) + " and " + in_words(metric.most));
  return {&metric, limit};
}

Judgement judge(const Comparison& comparison, const Limits& limits) {
  std::vector<JudgedLimit> all;
  if (limits.fail_percent)
    all.push_back(
        judged("percent different", true, *limits.fail_percent, comparison.percent_different()));
  if (limits.max_error && *limits.max_error > comparison.largest)
    throw UsageError("limit " + std::to_string(*limits.max_error) +
                     ": the samples of these pictures end at " +
                     std::to_string(comparison.largest));
  if (limits.max_error)
    all.push_back(judged("max error", true, *limits.max_error, comparison.max_error));
  for (const MetricLimit& row : limits.metrics) {
    const auto found =
        std::find_if(comparison.values.begin(), comparison.values.end(),
                     [&](const MetricValue& value) { return value.metric == row.metric; });
    if (found == comparison.values.end())
      throw UsageError("the comparison has no value of " + std::string(row.metric->name));
    all.push_back(judged(std::string(row.metric->name), row.metric->lower_is_better, row.limit,
                         found->value));
  }
  return {detail::outcome_of(comparison.same, all), all};
}

}  // namespace ballotcast
