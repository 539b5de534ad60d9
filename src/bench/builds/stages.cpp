#include "bench/builds/stages.hpp"

#include <map>
#include <string>

#include "bench/measure.hpp"

namespace ballotcast::detail {

BuildTimes time_build(const std::function<std::vector<StageTime>()>& build, u32 warm_ups) {
  for (u32 i = 0; i < warm_ups; ++i) build();
  std::vector<std::string> names;  // in the order of the stages
  std::map<std::string, std::vector<double>> times_of;
  MeasureOptions options;
  options.warm_up_runs = 0;
  options.least_runs = 11;
  options.most_ms = 1000.0;
  BuildTimes times;
  times.whole = measure(
      [&](u32 runs) {
        std::vector<double> sums;
        for (u32 i = 0; i < runs; ++i) {
          double sum = 0.0;
          for (const StageTime& stage : build()) {
            std::vector<double>& all = times_of[stage.name];
            if (all.empty()) names.push_back(stage.name);
            all.push_back(stage.milliseconds);
            sum += stage.milliseconds;
          }
          sums.push_back(sum);
        }
        return sums;
      },
      options);
  for (const std::string& name : names)
    times.stages.emplace_back(name + "_ms", timing_of(times_of[name]).median_ms);
  return times;
}

}  // namespace ballotcast::detail
