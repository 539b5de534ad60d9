// Error checks. Every call of the CUDA runtime is checked by these functions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

#include "support/error.hpp"

namespace ballotcast::detail {

/// A description of `code` with advice, in one line.
std::string explained(cudaError_t code);

/// Throws OutOfDeviceMemory or DeviceError, which names `call`. Clears the runtime's stored error,
/// so that the next check does not report it again.
[[noreturn]] void refuse(cudaError_t code, const std::string& call);

/// Calls `refuse` unless `code` is success.
inline void check(cudaError_t code, const std::string& call) {
  if (code != cudaSuccess) refuse(code, call);
}

/// Allocates device memory. Throws OutOfDeviceMemory, which states the requested and the free
/// amount.
void* take_device_memory(std::size_t bytes);

}  // namespace ballotcast::detail
