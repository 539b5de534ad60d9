// Made-up but plausible results of a benchmark. They contain every experiment, wrong and skipped
// rows, and texts that need escaping. There is a second version, which looks like results of the
// emulated GPU.
#pragma once

#include "bench/results.hpp"

namespace ballotcast::detail::testing {

Results sample_results();
Results emulated_sample_results();

}  // namespace ballotcast::detail::testing
