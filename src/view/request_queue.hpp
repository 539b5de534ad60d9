// A queue for a device that does one thing at a time. Also tells which requests are outdated.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A lock with two classes of waiting threads. Threads that draw pictures of a moving camera are
/// urgent and go first. A thread that refines a picture at rest calls urgent_waits() now and then,
/// and releases the lock if it is true.
class WorkQueue {
 public:
  /// Locks the queue during its lifetime.
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
  u64 next_ = 0;                 // number for the next waiting thread
  std::map<u64, bool> waiting_;  // the waiting threads by number: true if urgent

  bool is_next(u64 number) const;
};

/// The number of the newest request of each page. Once a page has sent a newer request, an older
/// picture is not drawn unless that has begun. A picture that is being drawn is stopped only if the
/// camera is at rest: a page with a moving camera needs some picture, however fast it sends
/// requests. Requests without a page ("") are never outdated.
class NewestRequests {
 public:
  /// Records request `number` of a page. Returns false if the page has sent a newer one.
  bool note(const std::string& page, u64 number);
  /// True if the page has sent a newer request than `number`.
  bool is_old(const std::string& page, u64 number) const;

 private:
  /// The largest number of pages that are remembered. If there are more, the page whose last
  /// request is the oldest is forgotten.
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
