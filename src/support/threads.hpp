// How many threads work.
#pragma once

#include <cstdint>
#include <functional>

namespace ballotcast::detail {

/// Runs `work` with `threads` threads for everything in this library; 0 means all cores.
void with_threads(std::uint32_t threads, const std::function<void()>& work);

/// How many threads share the work that is given out here.
unsigned thread_count();

}  // namespace ballotcast::detail
