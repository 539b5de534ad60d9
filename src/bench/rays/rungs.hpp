// The values of --pipeline in `bench rays`. The ladder is the list of all pipelines, from the
// slowest to the fastest; a rung is a pipeline, with or without a strategy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"

namespace ballotcast::detail {

/// Replaces "ladder" in `names` by every pipeline, the slowest first. The pipeline `passes` is then
/// there twice: with strategy naive and with its default strategy. Other names ("PIPELINE" or
/// "PIPELINE/STRATEGY") stay as they are.
std::vector<std::string> rungs(const std::vector<std::string>& names);

/// The options of a rung; `rung` must outlive them. Throws UsageError for unknown names and for a
/// strategy that the pipeline can't use.
CastOptions rung_called(std::string_view rung);

}  // namespace ballotcast::detail
