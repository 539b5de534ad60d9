// GPU memory that other processes of the same computer read (CUDA's interprocess communication).
#pragma once

#include <utility>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Lends memory of the current GPU; `memory` is the start of a block. Throws LentMemoryLost.
LentMemory lend_gpu_memory(const void* memory);

/// Lent GPU memory that the current GPU can read, while this lives.
class OpenLentMemory {
 public:
  /// Throws LentMemoryLost.
  explicit OpenLentMemory(const LentMemory& lent);
  ~OpenLentMemory();
  OpenLentMemory(OpenLentMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)) {}
  OpenLentMemory& operator=(OpenLentMemory&&) = delete;

  void* data() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

}  // namespace ballotcast::detail
