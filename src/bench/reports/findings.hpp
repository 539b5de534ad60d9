// Sentences about results, computed from them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A few sentences per experiment, most important first: what naive costs and where it doesn't,
/// which choice is fastest and slowest; in emulation, who issues how many atomics. Only rows that
/// do the same work are called faster or slower, and only beyond the noise of both.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
