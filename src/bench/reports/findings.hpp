// Sentences about results, computed from them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A few sentences per experiment, the most important first: what naive costs and where it costs
/// nothing; which choice is fastest and which slowest; in emulation, how many atomics each issues.
/// Rows are called faster or slower only if they do the same work and differ by more than the noise
/// of both.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
