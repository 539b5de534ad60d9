// How many threads of the CPU work.
#pragma once

#include <cstdint>
#include <functional>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Runs `work` with `threads` threads for everything that this library does in it; 0 means all
/// cores. No result depends on the number.
BALLOTCAST_API void with_threads(std::uint32_t threads, const std::function<void()>& work);

}  // namespace ballotcast
