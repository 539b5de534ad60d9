// The number of CPU threads that the library uses.
#pragma once

#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Runs `work`; the library uses `threads` threads for everything in it. 0 means all cores. No
/// result depends on the number.
BALLOTCAST_API void with_threads(std::uint32_t threads, const std::function<void()>& work);

}  // namespace ballotcast
