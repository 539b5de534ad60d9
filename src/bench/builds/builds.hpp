// `bench builds`: how fast trees are built, and how fast rays go through them. Every tree is
// checked before it is timed.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/backend.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"

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

}  // namespace ballotcast::detail
