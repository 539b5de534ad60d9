// Ends long work early if its caller asks for that: see ballotcast::stoppable.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {

/// Tells tasks whether to end early. Tasks may ask in any thread. The caller's function is called
/// only in the caller's thread, and at most once per kPause.
class StopToken {
 public:
  static constexpr std::chrono::milliseconds kPause{50};

  explicit StopToken(const std::function<bool()>& wants_stop) : wants_stop_(wants_stop) {}

  /// True once the caller has asked to stop.
  bool requested() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (std::this_thread::get_id() != caller_) return false;
    const auto now = Clock::now();
    if (now < next_) return false;
    next_ = now + kPause;
    if (!wants_stop_()) return false;
    stopped_.store(true, std::memory_order_relaxed);
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;

  const std::function<bool()>& wants_stop_;
  const std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now() + kPause;  // used by the caller's thread only
  std::atomic<bool> stopped_{false};
};

/// The token of the work that this thread does, or null if this work can't be stopped.
inline StopToken*& stop_token() {
  static thread_local StopToken* token = nullptr;
  return token;
}

/// While an object of this class exists, this thread does work that `token` can stop.
class StopScope {
 public:
  explicit StopScope(StopToken* token) : before_(stop_token()) { stop_token() = token; }
  ~StopScope() { stop_token() = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopToken* const before_;
};

/// True if this thread's work should end early. Long work asks every few milliseconds: each task of
/// support/threads/parallel.hpp asks when it starts, and other code calls this function or
/// check_stop().
inline bool stop_asked() {
  StopToken* const token = stop_token();
  return token != nullptr && token->requested();
}

/// Throws Stopped if this thread's work should end early.
inline void check_stop() {
  if (stop_asked()) throw Stopped();
}

}  // namespace ballotcast::detail
