// Runners of blocks, one for each thread that works.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backends/emulated/block.hpp"

namespace ballotcast::detail {

/// Lends runners, whose stacks are dear to make. For all threads at once.
class BlockRunners {
 public:
  /// Calls work(runner) with one that nothing else has meanwhile.
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
