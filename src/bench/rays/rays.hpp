// `bench rays`: how fast rays are cast, with different workloads, builders, layouts and pipelines.
// Every hit is checked before a rate is shown. A request is completed and checked before anything
// is measured. Its pipelines may be the ladder, the list of all pipelines from the slowest to the
// fastest; a rung is a pipeline, with or without a strategy.
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

/// What to measure: all combinations of the given values.
struct RaysRequest : SceneList {
  std::vector<std::string> workloads;  // empty: all
  std::string rays;                    // a rays file to use instead of workloads; "": none
  std::vector<std::string> pipelines;  // "PIPELINE", "PIPELINE/STRATEGY", "ladder"; empty: auto
  std::vector<std::string> layouts;    // empty: auto
  std::vector<std::string> builders;   // empty: the default
  std::vector<std::string> peers;      // rows of `peers()`
  std::string moving;                  // how the camera moves from cast to cast; see motion_of
  // Size of the picture from whose rays workloads are made.
  u32 width = RenderSettings{}.width, height = RenderSettings{}.height;
  bool counts = false;  // only count what rays test, without times
  u32 partition = 1;    // number of parts of the scene, which the machines of the device hold
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

/// Replaces "ladder" in `names` by every pipeline, the slowest first. The pipeline `passes` is then
/// there twice: with strategy naive and with its default strategy. Other names ("PIPELINE" or
/// "PIPELINE/STRATEGY") stay as they are.
std::vector<std::string> rungs(const std::vector<std::string>& names);

/// The options of a rung; `rung` must outlive them. Throws UsageError for unknown names and for a
/// strategy that the pipeline can't use.
CastOptions rung_called(std::string_view rung);

/// Completes `asked` for `backend`. Fills the lists of workloads, builders, layouts and pipelines
/// if they are empty, replaces names that stand for other names, and removes values that would be
/// measured twice, with a note for each of these. The workload of a rays file gets the name of the
/// file. On the CPU there are no pipelines, so the list is "-" there.
RaysRequest resolved(const RaysRequest& asked, const BackendInfo& backend,
                     std::vector<std::string>& notes);

/// The axes builder, layout and pipeline of a request that `resolved` returned.
Axes axes_of(const RaysRequest& request);

/// The rays of the request's file that can hit something. Other rays are left out, because they
/// cost almost nothing and would make the rate too high; a note says how many they are. Throws
/// InputError as read_rays does, for rays that a peer (another ray-caster; peer_casters.hpp) does
/// not accept, and if no ray can hit anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
