#include "compare/needed.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "helpers/pictures.hpp"

namespace ballotcast::detail {
namespace needed_test {

Comparison noisy_one() {
  const Image<Rgb8> picture = testing::gradient(40, 30);
  return compare(sampled(picture), sampled(testing::noisy(picture, 9)));
}

/// The limits that command-line options given as text set.
Limits limits_in(const std::string& options) {
  Limits limits;
  std::istringstream words(options);
  for (std::string name, value; words >> name >> value;) {
    const std::size_t equals = value.find('=');
    if (name == "--max-error") limits.max_error = static_cast<u32>(std::stoul(value));
    if (name == "--fail-percent") limits.fail_percent = std::stod(value);
    if (name == "--fail")
      limits.metrics.push_back(
          metric_limit(value.substr(0, equals), std::stod(value.substr(equals + 1))));
  }
  return limits;
}

TEST(Needed, options_are_enough_and_hardly_more) {
  const Comparison c = noisy_one();
  const std::string options = needed_options(c, {}, nullptr);
  EXPECT_TRUE(options.starts_with("--max-error 9 --fail-percent ")) << options;
  EXPECT_EQ(judge(c, limits_in(options)).outcome.outcome, Outcome::within_limits) << options;
  for (const Metric& metric : metrics()) {
    const double worst = metric.lower_is_better ? metric.least : 999.0;
    const MetricLimit too_tight{&metric, metric.name == "ssim" ? 1.0 : worst};
    const Judgement broken = judge(c, {{}, {}, {too_tight}});
    ASSERT_EQ(broken.outcome.outcome, Outcome::different) << metric.name;
    const std::string its = needed_options(c, broken.limits, nullptr);
    const Limits limits = limits_in(its);
    EXPECT_EQ(judge(c, limits).outcome.outcome, Outcome::within_limits) << its;
    EXPECT_NEAR(limits.metrics.at(0).limit / measure_of(metric.name, c), 1.0, 0.01) << its;
  }
}

TEST(Needed, options_keep_limits_that_hold) {
  const Comparison c = noisy_one();
  const Judgement judgement = judge(c, {50.0, 200, {}});
  EXPECT_TRUE(needed_options(c, judgement.limits, nullptr).ends_with(" --max-error 200"));
}

TEST(Needed, options_are_not_there_where_none_can_help) {
  Comparison c = compare(sampled(testing::gradient(4, 4)), sampled(testing::gradient(4, 5)));
  EXPECT_EQ(needed_options(c, {}, nullptr), "");
  EXPECT_EQ(needed_tolerance(c, {}), "");
  c = noisy_one();
  LinearComparison linear;
  linear.max = 0.25;
  EXPECT_EQ(needed_options(c, {}, &linear), "--fail-linear max=0.25 --fail-linear block=0");
  linear.not_finite_different = 1;
  EXPECT_EQ(needed_options(c, {}, &linear), "");
}

TEST(Needed, tolerance_is_the_key_of_a_case) {
  const Comparison c = noisy_one();
  EXPECT_EQ(needed_tolerance(c, {}), R"("tolerance": {"max_error": [1, 9], "why": "..."})");
  const Tolerance now{{{"max_error", 1.0, 2.0}, {"different_percent", 0.0, 100.0}}, "threads"};
  EXPECT_EQ(
      needed_tolerance(c, now),
      R"("tolerance": {"max_error": [1, 9], "different_percent": [0, 100], "why": "threads"})");
}

}  // namespace needed_test
}  // namespace ballotcast::detail
