// `bench builds`: how fast trees are built, and how fast rays go through them. Every tree is
// checked before it is timed.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/backend.hpp"
#include "ballotcast/frame.hpp"
#include "bench/rays/casts.hpp"
#include "bench/rays/known_scene.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail {

/// What to measure: all combinations of the given values.
struct BuildsRequest : SceneList {
  std::vector<std::string> builders;  // empty: kBuildersToMeasure
  std::vector<std::string> layouts;   // empty: auto
  std::vector<std::string> peers;     // rows of `peers()`
  // Size of the picture from whose rays workloads are made.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// The builders that are measured by default.
inline constexpr std::array<std::string_view, 5> kBuildersToMeasure = {
    "ploc", "ploc-reinserted", "ploc-presplit", "sbvh", "sbvh-reinserted"};

/// Throws UsageError for unknown names, a picture that is too large, a peer that is not in this
/// program, and if there is no scene.
void require_valid(const BuildsRequest& request);

/// Measures on `backend`; emulated has no times. Throws UsageError for unknown names, InputError
/// for an unusable scene, DeviceError if the device fails.
Results bench_builds(const BuildsRequest& request, const BackendInfo& backend);

/// The time of a build, and the median of each of its stages: {"sort_ms", 0.6}.
struct BuildTimes {
  Timing whole;
  Values stages;
};

/// Calls build(), which builds once and returns the milliseconds of its stages, until the sum of
/// these is steady. `warm_ups` calls come before that.
BuildTimes time_build(const std::function<std::vector<StageTime>()>& build, u32 warm_ups);

/// The first defect of a tree, or "". It must be a sound tree over `mesh` (see defect_of), and
/// `encoded`, the tree in a layout, must be `expected`, byte by byte: that of the host.
std::string defect_of_built(const BinaryTree& tree, const EncodedBvh& encoded,
                            const EncodedBvh& expected, const Mesh& mesh, const Copies& copies);

/// The workloads that say how good a tree is. Most rays of a picture are those of bounces.
inline constexpr std::array<std::string_view, 5> kWorkloadsOfTrees = {"primary", "ao", "diff1x8",
                                                                      "diff2x8", "random"};

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

/// What rays visit of a tree: the mean of each workload, and of these the mean.
MeanVisits mean_visits(const PreparedScene& scene, const std::vector<WorkloadRays>& all);

/// For each row from `first` on, adds the finding trace_over_sbvh: its mean rate, divided by that
/// of the row with builder sbvh whose other axes are equal, if there is one.
void relate_to_sbvh(std::vector<Row>& rows, std::size_t first);

}  // namespace ballotcast::detail
