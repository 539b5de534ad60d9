// `bench atomics` measures the cost of each way of counting hits. Every result is checked before it
// is timed.
//
//   experiment  what is measured
//   synthetic   a kernel does some work, then a strategy counts the lanes that hit
//   slots       the same, but each lane that hits gets a slot in a queue
//   placement   an atomic inside a divergent loop, or after it
//   casting     the ray-caster itself
//   threads     on device cpu: threads that add up
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/benchmarks/runners.hpp"
#include "backends/device/backend.hpp"
#include "bench/plan.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure. If `axes` is empty, a built-in selection of rows is measured, in which few axes
/// vary at a time. Otherwise all combinations of the values in `axes` are measured; axes that are
/// not in `axes` have one default value.
struct AtomicsRequest {
  std::vector<std::string> experiments;  // names of experiments; if empty, all that the device has
  std::vector<std::string> strategies;   // names of strategies; if empty, all
  // The names and values of axes. work: "flag", "fmaN" (N fused multiply-adds per ray, like fma200)
  // or "memory". lanes: "random", "coherent" or "one-per-block". hit_probability: a double. rays,
  // block_size, shards, ragged, items, payload_bytes, threads: u64. pipeline, loop: names.
  Axes axes;
  std::string scene;  // scene file for experiment casting; "" for the built-in scene
  bool include_broken = false;
  /// Called with the scene of a file after loading. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true if warnings about scenes are errors
  OnWarnings on_warnings;  // called with the warnings about a scene
  /// Called after each row with the number of measured rows and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// True if `names` contains `name`, or is empty, which means all names.
bool is_wanted(const std::vector<std::string>& names, std::string_view name);

/// All strategies except broken ones: the strategies of casts, and those that only the experiments
/// synthetic and slots have.
std::vector<StrategyInfo> laboratory_strategies();

/// True if only devices with lanes have the axis called `axis`.
bool is_of_lanes(std::string_view axis);

/// The names of all experiments, and the values of the axis `lanes`.
std::vector<std::string_view> atomics_experiments();
std::vector<std::string_view> lane_patterns();

/// Runs the benchmark on `backend`: cuda; emulated, which gives results and counts but no times; or
/// cpu, which has threads instead of lanes. Throws UsageError for unknown names and values, for
/// experiments that the backend does not have, and if there is nothing to measure. Throws
/// InputError for an unusable scene, and DeviceError if the device fails.
Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend);

/// Adds the requested rows of the experiments synthetic, slots and placement to `plan`. `lab` must
/// outlive the plan. If `timed`, the rows are timed and have millions of rays; otherwise times have
/// no meaning on this machine.
void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan);

/// The scene of experiment casting, on a device and on the CPU, with its camera rays. Each row
/// chooses how many of these it casts.
class CastFixture {
 public:
  /// Loads the scene of the file request.scene; if that is "", makes the built-in scene. Throws
  /// InputError or DeviceError.
  CastFixture(const AtomicsRequest& request, const BackendInfo& backend);
  ~CastFixture();

  const std::string& name() const;
  /// The number of triangles of the scene.
  u64 triangles() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// Adds the requested rows of experiment casting to `plan`. `ground` and `lab` must outlive the
/// plan. `lab` measures the GPU's clock rate. `timed` is true if times have a meaning on the
/// device. Then rows are timed if their result is right, and the default rows have many more rays.
void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan);

// Experiment threads measures on CPU threads what the other experiments measure on lanes. Each
// thread does its part of the work and adds its hits to a common sum (threads.cpp).

/// A row of the table of ways in which threads can add their hits.
struct ThreadWayInfo {
  std::string_view name;
  std::string_view summary;
};

/// The table of these ways, ordered from the fewest atomics to the most.
std::vector<ThreadWayInfo> thread_ways();

/// Adds the requested rows of experiment threads to `plan`. It has the axis threads (default: all
/// threads of this machine), and those axes of experiment synthetic that do not need lanes (see
/// is_of_lanes).
void plan_threads(const AtomicsRequest& request, Plan& plan);

// --recommend: decides which way to count, or to give slots, is the fastest on this machine, and
// prints a short table of decisions (recommend.cpp).

/// Another strategy for the same purpose, and its time divided by that of the recommended one.
struct Alternative {
  std::string strategy;
  double ratio = 1.0;
  bool equal = false;  // true if the difference lies within the noise
  // True if it does less than was asked for; listed to show the cost of the rest
  bool weaker = false;
};

/// The recommended strategy for one purpose and one amount of work.
struct Decision {
  std::string question;  // what is asked for, e.g. "only the number"
  std::string work;      // the work per lane: "little" or "much"
  std::string strategy;  // the fastest strategy, or a simpler one that is as fast within the noise
  double ms = 0.0;
  std::string use;  // how kernels of other programs use the strategy; "" on the CPU
  std::vector<Alternative> others;
};

/// The request that measures everything that the decisions need, on a device with lanes or on CPU
/// threads. `axes` may have one value each for rays, block_size, lanes, hit_probability or threads;
/// other axes have their defaults. Throws UsageError for other axes and for several values.
AtomicsRequest request_to_recommend(const Axes& axes, bool on_threads);

/// Decides from the times in `results`. Leaves out questions without a timed row, so without times
/// the list is empty.
std::vector<Decision> decisions_of(const Results& results);

/// The decisions for a terminal of 80 columns, with those facts of the results that they depend on.
std::string decisions_table(const Results& results, const std::vector<Decision>& decisions);
/// The decisions and these facts as JSON.
std::string decisions_json(const Results& results, const std::vector<Decision>& decisions);

}  // namespace ballotcast::detail
