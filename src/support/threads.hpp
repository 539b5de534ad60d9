// The number of threads that work is divided among.
#pragma once

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {

/// The number of threads that may share the work that the calling thread gives out.
unsigned thread_count();

}  // namespace ballotcast::detail
