// The number of CPU threads that the library uses.
#pragma once

#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Runs `work`, which must not be empty. Until it returns, the library uses at most `threads`
/// threads in the whole process, for other callers too; of several limits the smallest counts. 0
/// sets no limit, so that all cores are used. No result depends on the number. An exception of
/// `work` reaches the caller.
BALLOTCAST_API void with_threads(std::uint32_t threads, const std::function<void()>& work);

}  // namespace ballotcast
