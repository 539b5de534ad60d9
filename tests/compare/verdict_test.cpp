#include <gtest/gtest.h>

#include <limits>

#include "ballotcast/compare.hpp"
#include "ballotcast/error.hpp"
#include "helpers/pictures.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace verdict_test {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A comparison in which one of 200 pixels differs, by 3.
Comparison slightly_different() {
  const SampledImage reference = sampled(testing::gradient(20, 10));
  SampledImage result = reference;
  result.samples[0] = 3;
  return compare(reference, result);
}

Outcome outcome_of(const Comparison& comparison, const Limits& limits) {
  return judge(comparison, limits).outcome.outcome;
}

TEST(Verdict, without_limits_is_exact) {
  const SampledImage picture = sampled(testing::gradient());
  EXPECT_EQ(outcome_of(compare(picture, picture), {}), Outcome::same);
  EXPECT_EQ(outcome_of(slightly_different(), {}), Outcome::different);
}

TEST(Verdict, wants_every_limit_to_hold) {
  const Comparison c = slightly_different();
  const MetricLimit loose = metric_limit("rms", 1.0), tight = metric_limit("rms", 0.001);
  EXPECT_EQ(outcome_of(c, {0.5, 3, {loose}}), Outcome::within_limits);
  EXPECT_EQ(outcome_of(c, {0.499, 3, {loose}}), Outcome::different);
  EXPECT_EQ(outcome_of(c, {0.5, 2, {loose}}), Outcome::different);
  EXPECT_EQ(outcome_of(c, {0.5, 3, {loose, tight}}), Outcome::different);
}

TEST(Verdict, knows_which_metrics_are_better_when_higher) {
  const Image<Rgb8> picture = testing::gradient();
  const Comparison c = compare(sampled(picture), sampled(testing::noisy(picture, 9)));
  for (const MetricValue& row : c.values) {
    const double better = row.metric->lower_is_better ? -1e-6 : 1e-6;
    EXPECT_EQ(outcome_of(c, {{}, {}, {metric_limit(row.metric->name, row.value)}}),
              Outcome::within_limits)
        << row.metric->name;
    EXPECT_EQ(outcome_of(c, {{}, {}, {metric_limit(row.metric->name, row.value + better)}}),
              Outcome::different)
        << row.metric->name;
  }
}

TEST(Verdict, lets_no_nan_pass) {
  Comparison c = slightly_different();
  for (const Metric& metric : metrics()) EXPECT_THROW(metric_limit(metric.name, kNan), UsageError);
  for (MetricValue& row : c.values) {
    const double worst = row.metric->lower_is_better ? row.metric->most : row.metric->least;
    const Limits limits{{}, {}, {metric_limit(row.metric->name, worst)}};
    EXPECT_EQ(outcome_of(c, limits), Outcome::within_limits);
    row.value = kNan;
    EXPECT_EQ(outcome_of(c, limits), Outcome::different);
  }
}

TEST(Verdict, refuses_limits_that_no_value_has) {
  EXPECT_THROW(judge(slightly_different(), {{}, 256, {}}), UsageError);
  EXPECT_THROW(metric_limit("flip", 5.0), UsageError);
  EXPECT_THROW(metric_limit("rms", -0.1), UsageError);
  EXPECT_THROW(metric_limit("ssim", 1.01), UsageError);
  EXPECT_TRUE(contains(message_of<UsageError>([] { metric_limit("rsm", 1.0); }), "rms, max, psnr"));
}

TEST(Verdict, has_its_words_and_exit_codes) {
  for (const OutcomeInfo& row : outcomes()) {
    EXPECT_EQ(row.exit_code, row.outcome == Outcome::different ? 1 : 0);
    EXPECT_EQ(&row - outcomes().data(), static_cast<std::ptrdiff_t>(row.outcome));
  }
}

}  // namespace verdict_test
}  // namespace ballotcast::detail
