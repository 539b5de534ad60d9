// Synthetic but plausible results of a benchmark: every experiment, wrong and skipped rows, texts
// that need escaping; and the same results as an emulated GPU would give them.
#pragma once

#include "bench/results.hpp"

namespace ballotcast::detail::testing {

Results sample_results();
Results emulated_sample_results();

}  // namespace ballotcast::detail::testing
