// What a request of `bench rays` comes to, before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "bench/axis.hpp"
#include "bench/rays/rays.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// What `asked` means on `backend`: no list is empty but those of scenes and peers, no name stands
/// for another, and no value would be measured twice; a note tells of each of those. The workload
/// of a rays file is called as the file is; on a CPU, which casts a ray in one go, the pipeline is
/// "-".
RaysRequest resolved(const RaysRequest& asked, const BackendInfo& backend,
                     std::vector<std::string>& notes);

/// The axes that trees and pipelines of a resolved request differ in.
Axes axes_of(const RaysRequest& request);

/// The rays of the request's file that can hit something. A note tells how many can't: they cost
/// next to nothing, so a rate that counted them would be too high. Throws InputError as read_rays
/// does, for rays that a peer does not take, and where no ray can hit anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
