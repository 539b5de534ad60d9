// Finds out where memory is located, and gives a GPU access to the memory of other GPUs, in this
// process and in other processes on the same computer (CUDA's interprocess communication).
#pragma once

#include <utility>

#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// True for memory of a GPU, even of a GPU that is not visible to this process.
bool is_on_gpu(const void* memory);

#pragma GCC visibility push(default)  // exported for the Python module
/// The device on which memory is located, or -1 for host memory. Throws DeviceError if CUDA
/// reports an error.
int device_of(const void* memory);
#pragma GCC visibility pop

/// The current device of the calling thread.
int current_device();

#pragma GCC visibility push(default)  // exported for the Python module
/// Makes a device the current device of the calling thread while this object exists. The destructor
/// restores the previous device, or device 0 if the thread had used none. Throws DeviceError
/// if there is no such device.
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

/// Waits for all streams of the current device. Throws DeviceError if CUDA reports an error.
void wait_for_device();
#pragma GCC visibility pop

/// True if kernels of the current GPU can read and write `memory`, which must be on some GPU. The
/// first call for two GPUs enables peer access between them, if it is supported.
bool can_reach(const void* memory);

/// Returns the location of memory of the current GPU for other processes; `memory` must be the
/// start of an allocation. Throws LentMemoryLost if CUDA can't share it.
LentMemory lend_gpu_memory(const void* memory);

/// GPU memory of another process. The current GPU can read it while this object exists.
class OpenLentMemory {
 public:
  /// Throws LentMemoryLost if the other process has ended, or if CUDA can't open its memory.
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
