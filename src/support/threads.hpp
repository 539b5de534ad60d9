// The number of threads that work.
#pragma once

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {

/// The number of threads that share work given out here.
unsigned thread_count();

}  // namespace ballotcast::detail
