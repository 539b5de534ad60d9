// How fast rays are cast through a tree, over a few workloads.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rays/known_scene.hpp"
#include "bench/rays/visits.hpp"

namespace ballotcast::detail {

/// The workloads that say how good a tree is.
inline constexpr std::array<std::string_view, 3> kWorkloadsOfTrees = {"primary", "ao", "random"};

/// The rays of a workload, and their hits.
struct WorkloadRays {
  std::string workload;
  RaySet set;
  std::vector<Hit> hits;
};

/// The workloads of a scene, without those that have no rays: their rates have no meaning.
std::vector<WorkloadRays> workloads_of(const KnownScene& scene, u32 width, u32 height);

/// Rates of casting, in millions of rays per second.
class CastRates {
 public:
  void add(const WorkloadRays& rays, const Timing& timing);
  /// The geometric mean of all rates: {"mrays_per_s", 812.0}. Empty without rates.
  Values mean() const;
  /// Each rate, {"ao_mrays_per_s", 790.0} and so on, then the largest spread of their samples.
  Values each() const;

 private:
  Values rates_;
  double logarithms_ = 0.0;  // their sum
  double spread_ = 0.0;
};

/// The mean over workloads of what rays of each visit.
MeanVisits mean_visits(const PreparedScene& scene, const std::vector<WorkloadRays>& all);

/// For each row from `first` on, adds the finding trace_over_sbvh: its mean rate, divided by that
/// of the row with builder sbvh whose other axes are equal, if there is one.
void relate_to_sbvh(std::vector<Row>& rows, std::size_t first);

}  // namespace ballotcast::detail
