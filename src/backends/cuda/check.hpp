// Every call of the CUDA runtime goes through here.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

#include "support/error.hpp"

namespace ballotcast::detail {

/// What `code` is, and what to do about it, in one line.
std::string explained(cudaError_t code);

/// Throws OutOfDeviceMemory or DeviceError, naming `call`. Clears the runtime's code, so that the
/// next check doesn't report it again.
[[noreturn]] void refuse(cudaError_t code, const std::string& call);

/// Throws as `refuse` unless `code` is success.
inline void check(cudaError_t code, const std::string& call) {
  if (code != cudaSuccess) refuse(code, call);
}

/// Takes device memory. Throws OutOfDeviceMemory, which says how much was wanted and how much is
/// free.
void* take_device_memory(std::size_t bytes);

}  // namespace ballotcast::detail
