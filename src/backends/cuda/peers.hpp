// Where memory is, and GPUs that read the memory of other GPUs: those of this process, and those of
// other processes of the same computer (CUDA's interprocess communication).
#pragma once

#include <utility>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// True for memory of a GPU, also of one that this process does not see.
bool is_on_gpu(const void* memory);

#pragma GCC visibility push(default)  // for the Python module
/// The device on which memory lies, or -1 for memory of the host. Throws DeviceError.
int device_of(const void* memory);
#pragma GCC visibility pop

/// The device that the calling thread uses.
int current_device();

#pragma GCC visibility push(default)  // for the Python module
/// Makes the calling thread use a device while this lives. Afterwards a thread that has used none
/// before uses device 0. Throws DeviceError.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_;
  bool changed_ = false;
};
#pragma GCC visibility pop

/// True if kernels of the current GPU can read and write `memory`, which is on some GPU. If two
/// GPUs have a link, or share a bus that allows it, the first call opens it.
bool can_reach(const void* memory);

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
