// Queries whose kernels have no collectives: all machines in host memory share the code, which is
// compiled once.
#pragma once

#include "backends/prepare.hpp"
#include "kernels/queries.hpp"

namespace ballotcast::detail {

/// Answers a query that is no cast. All its arrays are in host memory.
void answer_on_host(const PreparedScene& scene, Query query);

}  // namespace ballotcast::detail
