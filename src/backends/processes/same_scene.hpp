// Whether all processes have the same scene.
#pragma once

#include "backends/scene/prepare.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Throws UsageError in a helper whose trees are not the leader's, and InputError if its
/// scene is not.
void require_same_scene(Processes& processes, const PreparedScene& scene);

}  // namespace ballotcast::detail
