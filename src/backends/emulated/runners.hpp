// A pool of block runners, one per working thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backends/emulated/block.hpp"

namespace ballotcast::detail {

/// Lends runners and keeps them for the next use, because their stacks are expensive to create.
/// Several threads may call it at the same time.
class BlockRunners {
 public:
  /// Calls work(runner) with a runner that nobody else uses meanwhile.
  template <class Work>
  void lend(const Work& work) {
    std::unique_ptr<BlockRunner> runner = take();
    work(*runner);
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(runner));
  }

 private:
  std::unique_ptr<BlockRunner> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<BlockRunner>();
    std::unique_ptr<BlockRunner> runner = std::move(idle_.back());
    idle_.pop_back();
    return runner;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> idle_;
};

}  // namespace ballotcast::detail
