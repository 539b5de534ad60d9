// The queue for a device that does one thing at a time. Tells which requests in it are outdated.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A lock with two classes of waiters. Pictures of a moving camera are urgent and go first. A
/// thread that refines a picture at rest asks urgent_waits() at times, and gives way.
class WorkQueue {
 public:
  /// Holds the lock during its lifetime.
  class Lock {
   public:
    Lock(WorkQueue& queue, bool urgent);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    WorkQueue& queue_;
  };

  bool urgent_waits() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool taken_ = false;
  u64 next_ = 0;                 // the number of the next waiter
  std::map<u64, bool> waiting_;  // by number: true if it is urgent

  bool is_next(u64 number) const;
};

/// The newest request of each page. If a page has sent a newer request, an older picture that is
/// not begun yet is left out. One that is being drawn is stopped only if the camera is at rest: a
/// moving camera needs some picture, however fast a page asks. Requests without a page ("") are
/// never outdated.
class NewestRequests {
 public:
  /// Notes request `number` of a page. Returns false if the page has sent a newer one.
  bool note(const std::string& page, u64 number);
  /// True if the page has sent a newer request than `number`.
  bool is_old(const std::string& page, u64 number) const;

 private:
  /// The most pages that are remembered. Beyond that, the page that was silent for the longest time
  /// is forgotten.
  static constexpr std::size_t kMostPages = 64;

  struct Page {
    u64 newest;
    u64 heard;
  };
  mutable std::mutex mutex_;
  std::map<std::string, Page> pages_;
  u64 clock_ = 0;
};

}  // namespace ballotcast::detail
