// Completes and checks a request of `bench rays` before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "bench/axis.hpp"
#include "bench/rays/rays.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// Resolves `asked` for `backend`: fills empty lists (except scenes and peers), replaces names that
/// stand for other names, and removes values that would be measured twice. Adds a note per change.
/// The workload of a rays file gets the name of the file. On the CPU the pipeline is "-", because a
/// ray is cast in one go there.
RaysRequest resolved(const RaysRequest& asked, const BackendInfo& backend,
                     std::vector<std::string>& notes);

/// The axes of trees and pipelines in a resolved request.
Axes axes_of(const RaysRequest& request);

/// The rays of the request's file that can hit something. Rays that can't are left out, because
/// they cost almost nothing and would make the rate too high; a note has their number. Throws
/// InputError as read_rays does, for rays that a peer does not accept, and if no ray can hit
/// anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
