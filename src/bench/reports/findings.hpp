// Sentences about results, computed from them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A few sentences per experiment, the most important first: what naive costs and where it costs
/// nothing, which choice is fastest and which is slowest; in emulation, the numbers of atomics. A
/// difference below the noise is named as such.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
