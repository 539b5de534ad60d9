#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "bench/builds/builds.hpp"
#include "bench/plan.hpp"
#include "bench/results.hpp"
#include "bvh/tree_checks.hpp"

namespace ballotcast::detail {

namespace {

/// Describes the first byte in which two blocks of memory differ; "" if they are equal. `what`
/// names the blocks.
std::string difference_of(const std::string& what, const void* got, u64 got_bytes,
                          const void* expected, u64 expected_bytes) {
  if (got_bytes != expected_bytes)
    return what + " take " + std::to_string(got_bytes) + " bytes, the host's " +
           std::to_string(expected_bytes);
  const auto* const a = static_cast<const u8*>(got);
  const auto* const b = static_cast<const u8*>(expected);
  const auto at = static_cast<u64>(std::mismatch(a, a + got_bytes, b).first - a);
  return at == got_bytes ? ""
                         : what + " differ from the host's at byte " + std::to_string(at) + " of " +
                               std::to_string(got_bytes);
}

constexpr const char* kMeanRate = "mrays_per_s";

/// The mean rate of a row; null if the row has none.
const double* mean_rate_of(const Row& row) {
  const Value* const value = find(row.found, kMeanRate);
  return value == nullptr ? nullptr : std::get_if<double>(value);
}

/// True if `row` has the builder sbvh, and its other axes are equal to those of `other`.
bool is_sbvh_of(const Row& row, const Row& other) {
  if (row.axes.size() != other.axes.size()) return false;
  for (std::size_t i = 0; i < row.axes.size(); ++i) {
    const auto& [key, value] = row.axes[i];
    if (key == "builder" ? in_words(value) != kSteadyBuilder : row.axes[i] != other.axes[i])
      return false;
  }
  return true;
}

}  // namespace

BuildTimes time_build(const std::function<std::vector<StageTime>()>& build, u32 warm_ups) {
  for (u32 i = 0; i < warm_ups; ++i) build();
  std::vector<std::string> names;  // names of the stages, in order
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

std::string defect_of_built(const BinaryTree& tree, const EncodedBvh& encoded,
                            const EncodedBvh& expected, const Mesh& mesh, const Copies& copies) {
  if (const std::string defect = defect_of(tree, mesh, copies); !defect.empty())
    return "the tree is not sound: " + defect;
  if (encoded.layout != expected.layout) return "the tree is in another layout than asked for";
  const auto rows_of = [](const EncodedBvh& t) {
    return t.triangles.size() * sizeof(TriangleRows);
  };
  std::string defect = difference_of("its nodes", encoded.nodes.data(), encoded.bytes,
                                     expected.nodes.data(), expected.bytes);
  if (defect.empty())
    defect = difference_of("its triangles", encoded.triangles.data(), rows_of(encoded),
                           expected.triangles.data(), rows_of(expected));
  if (defect.empty())
    defect = difference_of("its root, depth and grid", &encoded.shape, sizeof encoded.shape,
                           &expected.shape, sizeof expected.shape);
  return defect;
}

std::vector<WorkloadRays> workloads_of(const KnownScene& scene, u32 width, u32 height) {
  std::vector<WorkloadRays> all;
  for (const std::string_view name : kWorkloadsOfTrees) {
    RaySet set = scene.rays(std::string(name), width, height);
    if (set.rays.empty()) continue;
    std::vector<Hit> hits = scene.hits(set);
    all.push_back({std::string(name), std::move(set), std::move(hits)});
  }
  return all;
}

void CastRates::add(const WorkloadRays& rays, const Timing& timing) {
  if (timing.median_ms <= 0.0) return;
  const double rate = static_cast<double>(rays.set.rays.size()) / timing.median_ms * 1e-3;
  rates_.emplace_back(rays.workload + "_" + kMeanRate, rate);
  logarithms_ += std::log(rate);
  spread_ = std::max(spread_, timing.spread);
}

Values CastRates::mean() const {
  if (rates_.empty()) return {};
  return {{kMeanRate, std::exp(logarithms_ / static_cast<double>(rates_.size()))}};
}

Values CastRates::each() const {
  Values all = rates_;
  if (!all.empty()) all.emplace_back("trace_spread_percent", 100.0 * spread_);
  return all;
}

MeanVisits mean_visits(const PreparedScene& scene, const std::vector<WorkloadRays>& all) {
  MeanVisits mean;
  for (const WorkloadRays& rays : all) {
    const MeanVisits visits(count_visits(scene, rays.set));
    mean.nodes += visits.nodes / static_cast<double>(all.size());
    mean.triangles += visits.triangles / static_cast<double>(all.size());
    mean.largest += visits.largest / static_cast<double>(all.size());
  }
  return mean;
}

void relate_to_sbvh(std::vector<Row>& rows, std::size_t first) {
  for (std::size_t i = first; i < rows.size(); ++i) {
    const double* const rate = mean_rate_of(rows[i]);
    if (rate == nullptr) continue;
    for (std::size_t k = first; k < rows.size(); ++k) {
      const double* const of_sbvh = mean_rate_of(rows[k]);
      if (of_sbvh == nullptr || !is_sbvh_of(rows[k], rows[i])) continue;
      Values& found = rows[i].found;
      const double ratio = *rate / *of_sbvh;
      found.emplace(found.begin(), "trace_over_sbvh", ratio);
      break;
    }
  }
}

}  // namespace ballotcast::detail
