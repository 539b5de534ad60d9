// What a request of `bench rays` comes to, before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "bench/rays/rays.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// `asked` without names that stand for others, and without values that would be measured twice. A
/// note tells of each of those.
RaysRequest resolved(const RaysRequest& asked, std::vector<std::string>& notes);

/// The rays of the request's file that can hit something. A note tells how many can't: they cost
/// next to nothing, so a rate that counted them would be too high. Throws InputError as read_rays
/// does, for rays that a peer does not take, and where no ray can hit anything.
RaySet rays_of_file(const RaysRequest& request, std::vector<std::string>& notes);

}  // namespace ballotcast::detail
