// What each of several processes tells of its part of a picture or a film.
#pragma once

#include "ballotcast/renderer.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// Collects the reports of all processes: in the first one an array with an entry per process, in
/// order of their ranks; elsewhere, and if there is only one process, null. All processes must call
/// it. `times`, `memory`: those of this process.
Json reports_of_processes(const Renderer& renderer, const Json& times, const Json& memory);

/// Warns of the machines that have failed in other processes than the first.
void remark_losses_of_others(const Json& reports);

}  // namespace ballotcast::detail
