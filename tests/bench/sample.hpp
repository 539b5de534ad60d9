// Made-up but plausible results of a benchmark: every experiment, rows that are wrong or skipped,
// strings that a careless report would trip over; and the same as an emulated GPU would give them.
#pragma once

#include "bench/results.hpp"

namespace ballotcast::detail::testing {

Results sample_results();
Results emulated_sample_results();

}  // namespace ballotcast::detail::testing
