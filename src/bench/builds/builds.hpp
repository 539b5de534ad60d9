// `bench builds` measures how fast trees are built, and how fast rays are cast through them. Every
// tree is checked before it is timed.
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

/// What to measure: all combinations of these values.
struct BuildsRequest : SceneList {
  std::vector<std::string> builders;  // names of builders; if empty, kBuildersToMeasure
  std::vector<std::string> layouts;   // names of layouts; if empty, auto
  std::vector<std::string> peers;     // names of rows of `peers()`
  // The size of the picture whose rays are the basis of the workloads.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  /// Called after each row with the number of measured rows and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// The builders that are measured by default.
inline constexpr std::array<std::string_view, 5> kBuildersToMeasure = {
    "ploc", "ploc-reinserted", "ploc-presplit", "sbvh", "sbvh-reinserted"};

/// Throws UsageError for unknown names, a picture that is too large, a peer that is not part of
/// this program, and if there is no scene.
void require_valid(const BuildsRequest& request);

/// Measures what `request` lists, on `backend`. Emulated has no times. Throws UsageError for
/// unknown names, InputError for an unusable scene, and DeviceError if the device fails.
Results bench_builds(const BuildsRequest& request, const BackendInfo& backend);

/// The time of a build, and the median time of each of its stages: {"sort_ms", 0.6}.
struct BuildTimes {
  Timing whole;
  Values stages;
};

/// Calls build(), which builds once and returns the milliseconds of its stages, until the sum of
/// the stages is steady. The first `warm_ups` calls do not count.
BuildTimes time_build(const std::function<std::vector<StageTime>()>& build, u32 warm_ups);

/// Describes the first defect of a tree; "" if there is none. `tree` must be a sound tree over
/// `mesh` (see defect_of). `encoded`, the tree in a layout, must be equal byte by byte to
/// `expected`, the host's.
std::string defect_of_built(const BinaryTree& tree, const EncodedBvh& encoded,
                            const EncodedBvh& expected, const Mesh& mesh, const Copies& copies);

/// The workloads that measure the quality of a tree. Most rays of a picture are bounced rays.
inline constexpr std::array<std::string_view, 5> kWorkloadsOfTrees = {"primary", "ao", "diff1x8",
                                                                      "diff2x8", "random"};

/// The rays of a workload with their hits.
struct WorkloadRays {
  std::string workload;
  RaySet set;
  std::vector<Hit> hits;
};

/// The workloads of a scene, without those that have no rays, whose rates would have no meaning.
std::vector<WorkloadRays> workloads_of(const KnownScene& scene, u32 width, u32 height);

/// The rates of casting with each workload, in millions of rays per second.
class CastRates {
 public:
  void add(const WorkloadRays& rays, const Timing& timing);
  /// The geometric mean of all rates as a finding: {"mrays_per_s", 812.0}. Empty if there are no
  /// rates.
  Values mean() const;
  /// The rate of each workload, {"ao_mrays_per_s", 790.0} and so on, and the largest spread of
  /// their samples.
  Values each() const;

 private:
  Values rates_;
  double logarithms_ = 0.0;  // sum of the logarithms of the rates
  double spread_ = 0.0;
};

/// The means of what rays visit in a tree: first the mean over the rays of each workload, then over
/// the workloads.
MeanVisits mean_visits(const PreparedScene& scene, const std::vector<WorkloadRays>& all);

/// Adds the finding trace_over_sbvh to the rows from `first` on: the mean rate of the row, divided
/// by that of the row with builder sbvh and otherwise equal axes, if there is one.
void relate_to_sbvh(std::vector<Row>& rows, std::size_t first);

}  // namespace ballotcast::detail
