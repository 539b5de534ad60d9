// Tells ThreadSanitizer where fibers (stacks that a thread switches between) run. In other builds
// this does nothing.
#pragma once

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

/// A scope for work that switches stacks on this thread. ThreadSanitizer keeps track of open calls,
/// but fibers end calls out of order, or never. In this scope it uses a separate record, dropped at
/// the end. All fibers of the scope count as one thread.
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
