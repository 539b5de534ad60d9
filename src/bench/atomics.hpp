// The atomic synthetic_runner: what each way of counting costs, with everything checked before a
// time is taken.
//
// Four experiments: `synthetic` (a kernel of some work and a report), `slots` (the same, with slots
// of a queue), `placement` (the atomic in the divergent loop or after it) and `casting` (the
// ray-caster itself).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/axis.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure. Without axes, each is swept in turn around the base case. Those that are given
/// are combined, each value with each; the others stand at their base values.
struct AtomicsRequest {
  std::vector<std::string> experiments;  // empty: all four
  std::vector<std::string> strategies;   // empty: all
  // By name: work (flag, fmaN, memory), lanes (random, coherent, one-per-block), hit_probability
  // (double), rays, block_size (u64), pipeline, loop.
  Axes axes;
  std::string scene;  // file of experiment casting; "": the built-in one
  bool include_broken = false;
  /// Called with each scene that was loaded from a file; what it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // make warnings about scenes errors
  OnWarnings on_warnings;  // told the warnings about a scene
  /// Called after each row: rows done, rows in all.
  std::function<void(u64 done, u64 total)> progress;
};

/// The names that an AtomicsRequest may use.
std::vector<std::string_view> atomics_experiments();
std::vector<std::string_view> lane_patterns();

/// Runs the synthetic_runner on `backend` (cuda, or emulated for semantics and counts without
/// times). Throws UsageError for names that don't exist or make no sense together, InputError for
/// the scene, DeviceError when the device fails.
Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend);

}  // namespace ballotcast::detail
