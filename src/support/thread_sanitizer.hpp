// What ThreadSanitizer must be told: which work comes before which, where a library arranges that
// which isn't built with it, and which fiber runs. Elsewhere all of this is nothing.
#pragma once

#include <utility>

#if defined(__SANITIZE_THREAD__)
#define BALLOTCAST_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BALLOTCAST_TSAN
#endif
#endif

#if defined(BALLOTCAST_TSAN)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
#endif

namespace ballotcast {

/// Work that is divided among tasks: what was done before it comes before every task, and every
/// task comes before its end. Tasks come in no order.
class Fork {
 public:
#if defined(BALLOTCAST_TSAN)
  Fork() { __tsan_release(&begin_); }
  ~Fork() { __tsan_acquire(&end_); }
  void task_begins() { __tsan_acquire(&begin_); }
  void task_ends() { __tsan_release(&end_); }
  /// A task that needs what others have done.
  void join_begins() { __tsan_acquire(&end_); }
#else
  void task_begins() {}
  void task_ends() {}
  void join_begins() {}
#endif
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

 private:
#if defined(BALLOTCAST_TSAN)
  char begin_ = 0, end_ = 0;
#else
 public:
  Fork() = default;
#endif
};

/// A fiber of this program, or what runs now; told just before the stack changes to it.
class FiberMark {
 public:
  FiberMark() = default;
#if defined(BALLOTCAST_TSAN)
  static FiberMark made() { return FiberMark(__tsan_create_fiber(0), true); }
  static FiberMark current() { return FiberMark(__tsan_get_current_fiber(), false); }
  FiberMark(FiberMark&& other) noexcept
      : fiber_(std::exchange(other.fiber_, nullptr)), owned_(std::exchange(other.owned_, false)) {}
  FiberMark& operator=(FiberMark&& other) noexcept {
    std::swap(fiber_, other.fiber_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~FiberMark() {
    if (owned_) __tsan_destroy_fiber(fiber_);
  }
  void runs_next() const { __tsan_switch_to_fiber(fiber_, 0); }

 private:
  FiberMark(void* fiber, bool owned) : fiber_(fiber), owned_(owned) {}

  void* fiber_ = nullptr;
  bool owned_ = false;
#else
  static FiberMark made() { return {}; }
  static FiberMark current() { return {}; }
  void runs_next() const {}
#endif
};

}  // namespace ballotcast
