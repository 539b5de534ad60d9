// Rungs of the ladder of pipelines: what --pipeline of the benchmark names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace ballotcast::detail {

/// `names`, each "PIPELINE" or "PIPELINE/STRATEGY", with "ladder" replaced by every pipeline, the
/// slowest first; that of the articles twice, as they have it and at its best.
std::vector<std::string> rungs(const std::vector<std::string>& names);

/// The options that a rung means, which refer to `rung`. Throws UsageError for what doesn't exist
/// or go together.
CastOptions rung_called(std::string_view rung);

}  // namespace ballotcast::detail
