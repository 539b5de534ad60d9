// `bench rays` measures how fast rays are cast, with different workloads, builders, layouts and
// pipelines. Every hit is checked before a rate is shown. A request is completed and checked before
// anything is measured. Its list of pipelines may contain "ladder", which stands for all pipelines
// from the slowest to the fastest. A rung is a pipeline, with or without a strategy.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"
#include "bench/scene_list.hpp"

namespace ballotcast::detail {

/// What to measure: all combinations of these values.
struct RaysRequest : SceneList {
  std::vector<std::string> workloads;  // names of workloads; if empty, all
  std::string rays;                    // rays file to use instead of workloads, or ""
  // "PIPELINE", "PIPELINE/STRATEGY" or "ladder"; if empty, auto
  std::vector<std::string> pipelines;
  std::vector<std::string> layouts;   // names of layouts; if empty, auto
  std::vector<std::string> builders;  // names of builders; if empty, the default
  std::vector<std::string> peers;     // names of rows of `peers()`
  std::string moving;                 // how the camera moves from cast to cast; see motion_of
  // The size of the picture whose rays are the basis of the workloads.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  bool counts = false;  // true to only count what rays test, without times
  // Number of parts of the scene, which are spread over the machines of the device
  u32 partition = 1;
  std::optional<u64> max_memory;  // the most bytes of each machine for a scene, without rays
  /// Called after each row with the number of measured rows and of all rows.
  std::function<void(u64 done, u64 total)> progress;
};

/// Throws UsageError for unknown names, a picture that is too large, values that can't be combined,
/// a peer that is not part of this program, and if there is no scene.
void require_valid(const RaysRequest& request);

/// Measures what `request` lists, on `device`. Emulated has no times. Throws UsageError for unknown
/// names, InputError for an unusable scene or rays file, and DeviceError if the device fails.
Results bench_rays(const RaysRequest& request, const DeviceChoice& device);

/// Replaces "ladder" in `names` by all pipelines, the slowest first. The pipeline `passes` is among
/// them twice: with strategy naive and with its default strategy. Other names ("PIPELINE" or
/// "PIPELINE/STRATEGY") are unchanged.
std::vector<std::string> rungs(const std::vector<std::string>& names);

/// The options of a rung; `rung` must outlive them. Throws UsageError for unknown names and for a
/// strategy that the pipeline can't use.
CastOptions rung_called(std::string_view rung);

/// Completes a request for `backend`. Fills the lists of workloads, builders, layouts and pipelines
/// if they are empty, replaces names that stand for other names, and removes values that would be
/// measured twice, with a note for each of them. The workload of a rays file gets the name of the
/// file. On the CPU there are no pipelines, so the list is "-" there.
RaysRequest resolved(const RaysRequest& asked, const BackendInfo& backend,
                     std::vector<std::string>& notes);

/// The axes builder, layout and pipeline of a request that `resolved` has completed.
Axes axes_of(const RaysRequest& request);

/// The rays of the request's file that can hit something. Other rays are left out, because they
/// cost almost nothing and would make the rate too high; a note gives their number. Throws
/// InputError in the same cases as read_rays, for rays that a peer (another ray-caster;
/// peer_casters.hpp) does not accept, and if no ray can hit anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
