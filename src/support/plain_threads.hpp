// Divides work among threads of the standard library. Builds with ThreadSanitizer use this instead
// of oneTBB: oneTBB is not built with the sanitizer, which would not see its synchronisation.
#pragma once

#include <cstdint>
#include <functional>

#include "support/function_ref.hpp"

namespace ballotcast::detail::plain_threads {

/// Runs `work` with at most `threads` threads, including the calling thread.
void with_limit(unsigned threads, const std::function<void()>& work);

/// The most threads that may share the work that the calling thread gives out.
unsigned limit();

/// Calls both functions; the second on a thread of its own if the limit allows one more. If a
/// function throws, so does this call. If both throw, the exception is that of the first.
void both(FunctionRef<void()> first, FunctionRef<void()> second);

/// Calls body(begin, end) for ranges of at most `most` that together cover [begin, end), with as
/// many threads as the limit allows.
void for_each_range(std::uint64_t begin, std::uint64_t end, std::uint64_t most,
                    FunctionRef<void(std::uint64_t begin, std::uint64_t end)> body);

}  // namespace ballotcast::detail::plain_threads
