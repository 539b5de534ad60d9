// Completes and checks a request of `bench rays` before anything is measured. Its pipelines may be
// the ladder, the list of all pipelines from the slowest to the fastest; a rung is a pipeline, with
// or without a strategy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "bench/rays/rays.hpp"
#include "bench/rays/workloads.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

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
/// InputError as read_rays does, for rays that a peer (another ray-caster; peers.hpp) does not
/// accept, and if no ray can hit anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
