// Large copies between pageable host memory and the device.
//
// The driver takes pageable memory through a page-locked buffer of its own, which one thread fills.
// Here all threads fill and empty the buffers, and the device copies one of them meanwhile:
//
//   host memory  --all threads-->  buffer 0 | buffer 1 | buffer 2  --device-->  device memory
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "backends/cuda/buffer.hpp"

namespace ballotcast::detail {

class Staging {
 public:
  /// Smaller copies gain nothing.
  static constexpr std::size_t kLeast = std::size_t{4} << 20;

  /// Copies to the device, on a stream. Returns when `from` may be written again. `what`: what
  /// failed, if something did.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
              const std::string& what);
  /// Copies to the host, and waits. Both leave the buffers to the driver if there is no page-locked
  /// memory.
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                const std::string& what);

  /// Gives the buffers back.
  void release() { slots_.reset(); }

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  struct Memory {
    std::byte bytes[kBytes];
  };
  struct Slot {
    PinnedBuffer<Memory> memory;
    Event done;  // the device has copied what is there
  };
  static constexpr std::size_t kSlots = 3;

  /// Makes all slots if they are not there. False if there is no memory for them.
  bool has_slots();
  Slot& slot(std::size_t k) { return (*slots_)[k % kSlots]; }

  std::unique_ptr<std::array<Slot, kSlots>> slots_;
};

}  // namespace ballotcast::detail
