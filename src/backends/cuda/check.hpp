// Every call of the CUDA runtime goes through here.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "support/error.hpp"

namespace ballotcast {

/// Throws DeviceError naming `call` unless `code` is success. Clears the runtime's sticky code, so
/// that the next check doesn't report it again.
inline void check(cudaError_t code, const std::string& call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw DeviceError("CUDA: " + call + ": " + cudaGetErrorString(code) + " (" +
                    cudaGetErrorName(code) + ")");
}

}  // namespace ballotcast
