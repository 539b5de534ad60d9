#include <gtest/gtest.h>

#include <sstream>

#include "cli/commands/render_report.hpp"
#include "cli/this_process.hpp"

namespace ballotcast::detail {
namespace render_times_test {

RenderTimes some_times() {
  RenderTimes times;
  times.start = 5.0;
  times.load = 400.0;
  times.draw = 300.0;
  times.write = 20.0;
  times.total = 1000.0;
  return times;
}

const std::vector<StageTime> kStages = {{"preview", 50.0}, {"closest hits", 150.0}};

TEST(RenderTimes, phases_add_up_to_the_total_and_parts_to_their_phase) {
  const std::vector<Phase> phases = phases_of(some_times(), {200.0, 25.0}, kStages);
  double sum = 0.0, parts = 0.0;
  for (const Phase& phase : phases) (phase.is_stage ? parts : sum) += phase.milliseconds;
  EXPECT_DOUBLE_EQ(sum, 1000.0);
  EXPECT_DOUBLE_EQ(parts, 300.0);
  EXPECT_EQ(phases.back().name, "rest");
  EXPECT_DOUBLE_EQ(phases.back().milliseconds, 50.0);
}

TEST(RenderTimes, packing_for_the_cache_is_no_loading) {
  RenderTimes times = some_times();
  times.load = 100.0;
  times.build = 290.0;
  times.cache = 10.0;
  double sum = 0.0, build = 0.0, cache = 0.0;
  for (const Phase& phase : phases_of(times, {200.0, 25.0}, kStages)) {
    if (!phase.is_stage) sum += phase.milliseconds;
    if (phase.name == "build") build = phase.milliseconds;
    if (phase.name == "cache") cache = phase.milliseconds;
  }
  EXPECT_DOUBLE_EQ(sum, 1000.0);
  EXPECT_DOUBLE_EQ(build, 490.0);
  EXPECT_DOUBLE_EQ(cache, 10.0);
}

TEST(RenderTimes, no_phase_is_below_zero_if_clocks_differ) {
  RenderTimes times = some_times();
  times.total = 1.0;
  for (const Phase& phase : phases_of(times, {}, {{"a GPU's clock", 301.0}}))
    EXPECT_GE(phase.milliseconds, 0.0) << phase.name;
}

TEST(RenderTimes, the_chart_has_a_line_for_each_phase_of_at_most_80_columns) {
  const std::vector<Phase> phases = phases_of(some_times(), {200.0, 25.0}, kStages);
  std::istringstream chart(chart_of(phases, 1000.0));
  std::string line;
  std::size_t lines = 0;
  for (; std::getline(chart, line); ++lines) {
    EXPECT_LE(line.size(), 80u) << line;
  }
  EXPECT_EQ(lines, phases.size() + 1);
  const std::string all = chart_of(phases, 1000.0);
  EXPECT_NE(all.find("\n  load                 400 ms   40%  ################\n"), all.npos) << all;
  EXPECT_NE(all.find("\n    closest hits       150 ms   15%  ------\n"), all.npos) << all;
  EXPECT_LE(chart_of({{"one phase", 1e9}}, 1e9).find('\n'), 80u);
  EXPECT_FALSE(chart_of(phases_of({}, {}, {}), 0.0).empty());
}

TEST(ProcessClock, begins_before_main) {
  start_process_clock();
  EXPECT_GT(milliseconds_before_main(), 0.0);
  EXPECT_GE(process_milliseconds(), milliseconds_before_main());
}

}  // namespace render_times_test
}  // namespace ballotcast::detail
