// How many threads work.
#pragma once

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {

/// How many threads share the work that is given out here.
unsigned thread_count();

}  // namespace ballotcast::detail
