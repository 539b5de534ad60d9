// Rungs of the ladder of pipelines: the values of --pipeline in the benchmark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace ballotcast::detail {

/// `names`, each "PIPELINE" or "PIPELINE/STRATEGY". "ladder" is replaced by every pipeline, the
/// slowest first. The pipeline `passes` then appears twice: with strategy naive and with its
/// default strategy.
std::vector<std::string> rungs(const std::vector<std::string>& names);

/// The options of a rung; `rung` must outlive them. Throws UsageError for unknown names and for a
/// strategy that the pipeline can't use.
CastOptions rung_called(std::string_view rung);

}  // namespace ballotcast::detail
