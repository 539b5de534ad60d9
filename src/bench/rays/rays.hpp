// `bench rays`: how fast rays are cast, with different workloads, builders, layouts and pipelines.
// Every hit is checked before a rate is shown.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {

/// What to measure: all combinations of the given values.
struct RaysRequest {
  std::vector<std::string> scenes;  // scene files
  // Sizes of generated terrains, in triangles. There must be at least one scene or size.
  std::vector<u32> triangles;
  std::vector<std::string> workloads;  // empty: all
  std::string rays;                    // a rays file to use instead of workloads; "": none
  std::vector<std::string> pipelines;  // "PIPELINE", "PIPELINE/STRATEGY", "ladder"; empty: auto
  std::vector<std::string> layouts;    // empty: auto
  std::vector<std::string> builders;   // empty: the default
  std::vector<std::string> peers;      // rows of `peers()`
  // Size of the picture from whose rays workloads are made.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  /// Called with each scene that was loaded from a file. An exception that it throws ends the run.
  std::function<void(const SceneData& scene)> on_scene;
  bool strict = false;     // true: warnings about scenes are errors
  OnWarnings on_warnings;  // gets the warnings about a scene
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// Throws UsageError for unknown names, a picture that is too large, values that can't be combined,
/// a peer that is not in this program, and if there is no scene.
void require_valid(const RaysRequest& request);

/// Measures on `backend`; emulated has no times. Throws UsageError for unknown names, InputError
/// for an unusable scene or rays file, DeviceError if the device fails.
Results bench_rays(const RaysRequest& request, const BackendInfo& backend);

}  // namespace ballotcast::detail
