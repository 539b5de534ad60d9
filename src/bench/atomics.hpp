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
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure. If no axis is given, each axis is varied in turn around a base case. If some
/// axes are given, all combinations of their values are measured; the other axes have their base
/// value.
struct AtomicsRequest {
  std::vector<std::string> experiments;  // empty: all four
  std::vector<std::string> strategies;   // empty: all
  std::vector<std::string> works;        // flag, fmaN (N steps), memory
  std::vector<std::string> lanes;        // random, coherent, one-per-block
  std::vector<double> probabilities;     // of a hit, per ray
  std::vector<u32> rays;
  std::vector<u32> block_sizes;
  std::vector<std::string> pipelines;
  std::vector<std::string> loops;
  std::string scene;  // scene file of experiment casting; "": the built-in scene
  bool include_broken = false;
  /// Called with each scene that was loaded from a file. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true: warnings about scenes are errors
  OnWarnings on_warnings;  // gets the warnings about a scene
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;

  /// True if an axis other than strategy and experiment is given.
  bool has_axes() const {
    return !works.empty() || !lanes.empty() || !probabilities.empty() || !rays.empty() ||
           !block_sizes.empty() || !pipelines.empty() || !loops.empty();
  }
};

/// The names that an AtomicsRequest accepts.
std::vector<std::string_view> atomics_experiments();
std::vector<std::string_view> lane_patterns();

/// Runs the benchmark on `backend`: cuda, or emulated, which gives results and counts but no times.
/// Throws UsageError for unknown names or names that can't be combined, InputError for an unusable
/// scene, DeviceError if the device fails.
Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend);

}  // namespace ballotcast::detail
