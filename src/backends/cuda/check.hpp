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

/// A version as CUDA numbers it, such as 12040: "12.4".
std::string version_in_words(int version);

/// The version of CUDA that the driver is for. It is asked once, because a GPU that has failed
/// answers nothing.
int driver_version();

/// Allocates device memory. Throws OutOfDeviceMemory, which states the requested and the free
/// amount.
void* take_device_memory(std::size_t bytes);

}  // namespace ballotcast::detail
