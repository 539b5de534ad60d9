#include "bench/builds/cast_rates.hpp"

#include <algorithm>
#include <cmath>

#include "bench/axis.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char* kMeanRate = "mrays_per_s";

/// The mean rate of a row; null if it has none.
const double* mean_rate_of(const Row& row) {
  const Value* const value = find(row.found, kMeanRate);
  return value == nullptr ? nullptr : std::get_if<double>(value);
}

/// True if `row` is of builder sbvh, and is like `other` but for the builder.
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
    const MeanVisits visits = mean_visits(scene, rays.set);
    mean.nodes += visits.nodes / static_cast<double>(all.size());
    mean.triangles += visits.triangles / static_cast<double>(all.size());
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
