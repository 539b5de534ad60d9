// Device memory that is used again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

#include "backends/cuda/check.hpp"

namespace ballotcast::detail {

/// Keeps the memory that buffers give back, for later buffers. So a renderer that draws frame after
/// frame takes memory from the device only for the first. Together, the blocks in use and the idle
/// ones never take more than the largest work so far may take.
///
/// Until the first `begin_work`, nothing is kept.
class MemoryPool {
 public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  ~MemoryPool() { free_idle(); }

  /// States what the next work takes in all. If that is more than ever, frees all idle blocks: they
  /// are too small for it.
  void begin_work(std::size_t bytes) {
    work_ = bytes;
    if (bytes <= most_) return;
    free_idle();
    most_ = bytes;
  }

  /// Throws OutOfDeviceMemory.
  void* take(std::size_t bytes) {
    const auto block = idle_.lower_bound(bytes);
    if (block != idle_.end() && may_waste(block->first - bytes)) {
      const auto [size, memory] = *block;
      idle_.erase(block);
      idle_bytes_ -= size;
      return lend(memory, size, bytes);
    }
    if (taken_ + idle_bytes_ + bytes > most_) free_idle();
    return lend(take_device_memory(bytes), bytes, bytes);
  }

  void give_back(void* memory) {
    const auto lent = lent_.find(memory);
    const Block block = lent->second;
    lent_.erase(lent);
    taken_ -= block.size;
    asked_ -= block.asked;
    if (taken_ + idle_bytes_ + block.size <= most_) {
      idle_.emplace(block.size, memory);
      idle_bytes_ += block.size;
    } else {
      cudaFree(memory);
    }
  }

  void free_idle() {
    for (const auto& [size, memory] : idle_) cudaFree(memory);
    idle_.clear();
    idle_bytes_ = 0;
  }

 private:
  struct Block {
    std::size_t size, asked;
  };

  void* lend(void* memory, std::size_t size, std::size_t asked) {
    lent_[memory] = {size, asked};
    taken_ += size;
    asked_ += asked;
    return memory;
  }

  /// True if a block may be lent that is larger than asked for, by `bytes`: the rest of this work
  /// must still fit.
  bool may_waste(std::size_t bytes) const { return work_ + (taken_ - asked_) + bytes <= most_; }

  std::multimap<std::size_t, void*> idle_;  // by size
  std::map<void*, Block> lent_;
  std::size_t taken_ = 0, asked_ = 0;  // of the blocks in use: their sizes, and what was asked for
  std::size_t idle_bytes_ = 0;
  std::size_t work_ = 0, most_ = 0;
};

}  // namespace ballotcast::detail
