// `bench atomics`: what each way of counting hits costs. Every result is checked before it is
// timed.
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
  std::vector<std::string> experiments;  // empty: all that the device has
  std::vector<std::string> strategies;   // empty: all
  // Names and values. work: "flag", "fmaN" (N fused multiply-adds per ray, like fma200) or
  // "memory". lanes: "random", "coherent" or "one-per-block". hit_probability: a double. rays,
  // block_size, shards, ragged, items, payload_bytes, bins, threads: u64. pipeline, loop: names.
  Axes axes;
  std::string scene;  // scene file of experiment casting; "": the built-in scene
  bool include_broken = false;
  /// Called with the scene if it was loaded from a file. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true: warnings about scenes are errors
  OnWarnings on_warnings;  // gets the warnings about a scene
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// True if a name is among those of a request; none are named: all.
bool is_wanted(const std::vector<std::string>& names, std::string_view name);

/// All strategies but broken ones: those of casts, and those that only experiments synthetic and
/// slots know.
std::vector<StrategyInfo> laboratory_strategies();

/// True if only devices with lanes have this axis.
bool is_of_lanes(std::string_view axis);

/// The names of all experiments, and all values of the axis `lanes`.
std::vector<std::string_view> atomics_experiments();
std::vector<std::string_view> lane_patterns();

/// Runs the benchmark on `backend`: cuda; emulated, which gives results and counts but no times; or
/// cpu, which has no lanes but threads. Throws UsageError for unknown names and
/// values, for experiments that the backend does not have, and if there is nothing to measure;
/// InputError for an unusable scene; DeviceError if the device fails.
Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend);

/// Adds the requested rows of the experiments synthetic, slots and placement to `plan`. `lab` must
/// outlive the plan. `timed` is true if times have a meaning on this machine and millions of rays
/// are possible.
void plan_synthetic(const AtomicsRequest& request, SyntheticRunner& lab, bool timed, Plan& plan);

/// The scene of experiment casting, on a device and on the CPU, with camera rays; each row chooses
/// their number.
class CastFixture {
 public:
  /// Loads request.scene, or the built-in scene for "". Throws InputError or DeviceError.
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
/// plan. `lab` tells the GPU's clock rate. `timed`: true if times have a meaning on the device.
/// Then right rows are timed, and by default rows have many more rays.
void plan_casting(const AtomicsRequest& request, CastFixture& ground, SyntheticRunner& lab,
                  bool timed, Plan& plan);

// Experiment threads: the question of the other experiments, asked of CPU threads. Each does its
// share of the work and adds its hits to a sum that all want (threads.cpp).

/// A way in which threads add up.
struct ThreadWayInfo {
  std::string_view name;
  std::string_view summary;
};

/// The table of ways, from the fewest atomics to the most.
std::vector<ThreadWayInfo> thread_ways();

/// Adds the requested rows of experiment threads to `plan`. The axes are those of experiment
/// synthetic that threads have, too (see is_of_lanes), and threads (default: all of this machine).
void plan_threads(const AtomicsRequest& request, Plan& plan);

}  // namespace ballotcast::detail
