// `bench rays`: how fast rays are cast, with different workloads, builders, layouts and pipelines.
// Every hit is checked before a rate is shown.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"

namespace ballotcast::detail {

/// What to measure: all combinations of the given values.
struct RaysRequest : SceneList {
  std::vector<std::string> workloads;  // empty: all
  std::string rays;                    // a rays file to use instead of workloads; "": none
  std::vector<std::string> pipelines;  // "PIPELINE", "PIPELINE/STRATEGY", "ladder"; empty: auto
  std::vector<std::string> layouts;    // empty: auto
  std::vector<std::string> builders;   // empty: the default
  std::vector<std::string> peers;      // rows of `peers()`
  std::string moving;                  // how the camera moves from cast to cast; see moving.hpp
  // Size of the picture from whose rays workloads are made.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  u32 partition = 1;              // into so many parts, which the machines of the device hold
  std::optional<u64> max_memory;  // bytes of each machine that a scene may take; rays do not count
  /// Called after each row with the number of rows done and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// Throws UsageError for unknown names, a picture that is too large, values that can't be combined,
/// a peer that is not in this program, and if there is no scene.
void require_valid(const RaysRequest& request);

/// Measures on `device`; emulated has no times. Throws UsageError for unknown names, InputError
/// for an unusable scene or rays file, DeviceError if the device fails.
Results bench_rays(const RaysRequest& request, const DeviceChoice& device);

}  // namespace ballotcast::detail
