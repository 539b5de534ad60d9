// Code for builds with ThreadSanitizer: calls that tell the sanitizer about fibers, and a thread
// pool that it can follow.
#pragma once

#include <cstdint>
#include <functional>

#include "support/function_ref.hpp"

#if defined(__SANITIZE_THREAD__)
#define BALLOTCAST_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BALLOTCAST_TSAN
#endif
#endif

#if defined(BALLOTCAST_TSAN)
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
#endif

namespace ballotcast::detail {

/// A scope for work that switches stacks (fibers) on this thread. In other builds it does nothing.
/// ThreadSanitizer tracks open calls, but fibers end calls out of order, or never. In this scope
/// the sanitizer uses a separate record, which is dropped at the end. All fibers of the scope count
/// as one thread.
class FiberScope {
 public:
  FiberScope(const FiberScope&) = delete;
  FiberScope& operator=(const FiberScope&) = delete;
#if defined(BALLOTCAST_TSAN)
  FiberScope() : before_(__tsan_get_current_fiber()), inside_(__tsan_create_fiber(0)) {
    __tsan_switch_to_fiber(inside_, 0);
  }
  ~FiberScope() {
    __tsan_switch_to_fiber(before_, 0);
    __tsan_destroy_fiber(inside_);
  }

 private:
  void* before_;
  void* inside_;
#else
  FiberScope() {}
  ~FiberScope() {}
#endif
};

}  // namespace ballotcast::detail

/// Divides work among std::threads. Builds with ThreadSanitizer use this instead of oneTBB, because
/// oneTBB is not compiled with the sanitizer, which would not see its synchronisation.
namespace ballotcast::detail::plain_threads {

/// Runs `work` with at most `threads` threads, including the calling thread.
void with_limit(unsigned threads, const std::function<void()>& work);

/// The largest number of threads that may share the work of the calling thread.
unsigned limit();

/// Calls both functions, the second one on another thread if the limit allows it. If a function
/// throws, this call throws the same exception; if both throw, the exception of the first.
void both(FunctionRef<void()> first, FunctionRef<void()> second);

/// Calls body(begin, end) for ranges of at most `most` elements that together cover [begin, end),
/// with as many threads as the limit allows.
void for_each_range(std::uint64_t begin, std::uint64_t end, std::uint64_t most,
                    FunctionRef<void(std::uint64_t begin, std::uint64_t end)> body);

}  // namespace ballotcast::detail::plain_threads
