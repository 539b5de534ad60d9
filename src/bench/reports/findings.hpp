// Sentences about results, computed from them.
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

namespace ballotcast::detail {

/// A few sentences per experiment, the most important first. They say what naive costs compared
/// with none, and where it costs nothing. Without these two strategies, they say which choice is
/// fastest and which slowest, or the range of the rates. In emulation they compare the numbers of
/// atomics. Rows are called faster or slower only if they do the same work and differ by more than
/// the noise of both.
std::vector<std::string> findings_of(const Results& results);

}  // namespace ballotcast::detail
