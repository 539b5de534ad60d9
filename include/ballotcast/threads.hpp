// The number of CPU threads that the library uses.
#pragma once

#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Runs `work`. For everything in it, the library uses at most `threads` threads; 0 sets no limit,
/// so that it uses all cores. No result depends on the number.
BALLOTCAST_API void with_threads(std::uint32_t threads, const std::function<void()>& work);

}  // namespace ballotcast
