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
  Fork() { release(begin_); }
  ~Fork() { acquire(end_); }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;

  void task_begins() { acquire(begin_); }
  void task_ends() { release(end_); }
  /// A task that needs what others have done.
  void join_begins() { acquire(end_); }

 private:
#if defined(BALLOTCAST_TSAN)
  static void acquire(char& place) { __tsan_acquire(&place); }
  static void release(char& place) { __tsan_release(&place); }
#else
  static void acquire(char&) {}
  static void release(char&) {}
#endif

  char begin_ = 0, end_ = 0;
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
