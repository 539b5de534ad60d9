// Finds out where memory lies. Gives a GPU access to the memory of other GPUs, those of this
// process and those of other processes on the same computer (CUDA's interprocess communication).
#pragma once

#include <utility>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// True for memory of a GPU, even of one that this process does not see.
bool is_on_gpu(const void* memory);

#pragma GCC visibility push(default)  // for the Python module
/// The device on which memory lies, or -1 for memory of the host. Throws DeviceError.
int device_of(const void* memory);
#pragma GCC visibility pop

/// The device that the calling thread uses.
int current_device();

#pragma GCC visibility push(default)  // for the Python module
/// Makes the calling thread use a device while this object lives. Afterwards the thread uses its
/// previous device, or device 0 if it had used none. Throws DeviceError.
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

/// True if kernels of the current GPU can read and write `memory`, which is on some GPU. The first
/// call for two GPUs opens the link or the shared bus between them, if there is one.
bool can_reach(const void* memory);

/// Lends memory of the current GPU; `memory` is the start of a block. Throws LentMemoryLost.
LentMemory lend_gpu_memory(const void* memory);

/// Lent memory of a GPU. The current GPU can read it while this object lives.
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
