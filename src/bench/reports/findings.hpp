// What results say, in sentences that are computed from them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A few sentences an experiment, most important first: what naive costs and where it doesn't,
/// which choice is fastest and slowest; in emulation, who issues how many atomics. What is smaller
/// than the noise is said to be so.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
