// How fast rays are cast: workloads, over builders, layouts and pipelines, with every hit checked
// before a rate is shown.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure. Given axes are combined, each value with each.
struct RaysRequest {
  std::vector<std::string> scenes;     // files
  std::vector<u32> triangles;          // generated terrains of so many; at least one scene in all
  std::vector<std::string> workloads;  // empty: all
  std::string rays;                    // a rays file, in place of workloads; "": none
  std::vector<std::string> pipelines;  // PIPELINE or PIPELINE/STRATEGY, or ladder; empty: auto
  std::vector<std::string> layouts;    // empty: auto
  std::vector<std::string> builders;   // empty: the default
  std::vector<std::string> peers;      // rows of `peers()`
  u32 width = 1920, height = 1080;     // of the picture that workloads start from
  /// Called with each scene that was loaded from a file; what it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // make warnings about scenes errors
  OnWarnings on_warnings;  // told the warnings about a scene
  /// Called after each row: rows done, rows in all.
  std::function<void(u64 done, u64 total)> progress;
};

/// Throws UsageError for names that don't exist and for a picture that is too large.
void require_valid(const RaysRequest& request);

/// Measures on `backend`; on emulated there are no times. Throws UsageError for names that don't
/// exist, InputError for a scene or rays file, DeviceError when the device fails.
Results bench_rays(const RaysRequest& request, const BackendInfo& backend);

}  // namespace ballotcast::detail
