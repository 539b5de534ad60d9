// A thread that works for one machine. A GPU is chosen per thread, so each machine has its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "support/stop.hpp"

namespace ballotcast::detail {

/// Runs pieces of work one after another, in a thread of its own.
class MachineThread {
 public:
  MachineThread();
  /// Waits for all work.
  ~MachineThread();
  MachineThread(const MachineThread&) = delete;
  MachineThread& operator=(const MachineThread&) = delete;

  /// Runs work that can be stopped as that of the calling thread can (support/stop.hpp). What it
  /// throws, the future throws.
  std::future<void> start(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<std::packaged_task<void()>> tasks_;
  bool ended_ = false;
  std::thread thread_;  // the last member: it uses the others
};

/// Waits for all works. Meanwhile it asks whether to stop, and calls `meanwhile` now and then if
/// that is not null. Then it throws what the first of them that failed has thrown.
void wait_for(std::vector<std::future<void>>& works, const std::function<void()>& meanwhile = {});

}  // namespace ballotcast::detail
