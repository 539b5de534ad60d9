// Whether all processes have the same scene.
#pragma once

#include "backends/prepare.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Throws UsageError in a helper whose trees or whose number of parts are not the leader's, and
/// InputError if its scene is not.
void require_same_scene(Processes& processes, const PreparedScene& scene, std::size_t parts);

}  // namespace ballotcast::detail
