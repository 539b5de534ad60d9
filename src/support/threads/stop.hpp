// Ends long work early, when its caller asks for that: see ballotcast::stoppable.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {

/// The question whether to end some work early. Its tasks ask in any thread; the caller is asked in
/// the caller's thread only, and at most once per kPause.
class StopQuestion {
 public:
  static constexpr std::chrono::milliseconds kPause{50};

  explicit StopQuestion(const std::function<bool()>& wants_stop) : wants_stop_(wants_stop) {}

  /// True once the caller has asked to stop.
  bool answered() {
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

/// What this thread works for, or null for work that nobody can stop.
inline StopQuestion*& stop_question() {
  static thread_local StopQuestion* question = nullptr;
  return question;
}

/// During its lifetime, this thread works for `question`.
class StopScope {
 public:
  explicit StopScope(StopQuestion* question) : before_(stop_question()) {
    stop_question() = question;
  }
  ~StopScope() { stop_question() = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopQuestion* const before_;
};

/// True if this thread's work is to end early. Long work asks every few milliseconds: each task of
/// support/threads/parallel.hpp asks when it begins, and others call this or check_stop().
inline bool stop_asked() {
  StopQuestion* const question = stop_question();
  return question != nullptr && question->answered();
}

/// Throws Stopped if this thread's work is to end early.
inline void check_stop() {
  if (stop_asked()) throw Stopped();
}

}  // namespace ballotcast::detail
