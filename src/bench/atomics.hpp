// `bench atomics`: what each way of counting costs. Everything is checked before it is timed.
//
// There are four experiments: `synthetic` (a kernel that does some work and reports), `slots` (the
// same, but it reserves queue slots), `placement` (the atomic inside the divergent loop, or after
// it) and `casting` (the ray-caster itself).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/axis.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure. If no axes are given, each axis is varied in turn around the base case. Given
/// axes are combined, each value with each value of the others; the other axes keep their base
/// values.
struct AtomicsRequest {
  std::vector<std::string> experiments;  // empty: all four
  std::vector<std::string> strategies;   // empty: all
  // By name: work (flag, fmaN, memory), lanes (random, coherent, one-per-block), hit_probability
  // (double), rays, block_size (u64), pipeline, loop.
  Axes axes;
  std::string scene;  // scene file of experiment casting; "": the built-in scene
  bool include_broken = false;
  /// Called with each scene that was loaded from a file. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true: warnings about scenes are errors
  OnWarnings on_warnings;  // gets the warnings about a scene
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// The names that an AtomicsRequest accepts.
std::vector<std::string_view> atomics_experiments();
std::vector<std::string_view> lane_patterns();

/// Runs the benchmark on `backend`: cuda, or emulated, which gives results and counts but no times.
/// Throws UsageError for unknown names or names that can't be combined, InputError for an unusable
/// scene, DeviceError if the device fails.
Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend);

}  // namespace ballotcast::detail
