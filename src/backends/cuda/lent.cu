// GPU memory that other processes read.
#include <cstring>

#include "backends/cuda/check.hpp"
#include "backends/cuda/lent.hpp"

namespace ballotcast::detail {

namespace {

[[noreturn]] void lose(const std::string& why, cudaError_t code) {
  cudaGetLastError();  // so that the next check does not report it
  throw LentMemoryLost("memory of a GPU " + why + ": " + explained(code));
}

}  // namespace

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(LentMemory::handle));

LentMemory lend_gpu_memory(const void* memory) {
  cudaIpcMemHandle_t handle;
  const cudaError_t code = cudaIpcGetMemHandle(&handle, const_cast<void*>(memory));
  if (code != cudaSuccess) lose("can't be lent", code);
  LentMemory lent;
  lent.kind = LentMemory::Kind::gpu;
  std::memcpy(lent.handle, &handle, sizeof handle);
  return lent;
}

OpenLentMemory::OpenLentMemory(const LentMemory& lent) {
  if (lent.kind != LentMemory::Kind::gpu)
    throw LentMemoryLost("memory of another process is that of a machine without a GPU");
  cudaIpcMemHandle_t handle;
  std::memcpy(&handle, lent.handle, sizeof handle);
  const cudaError_t code = cudaIpcOpenMemHandle(&memory_, handle, cudaIpcMemLazyEnablePeerAccess);
  if (code != cudaSuccess) lose("that another process uses can't be read", code);
}

OpenLentMemory::~OpenLentMemory() {
  if (memory_ == nullptr) return;
  cudaIpcCloseMemHandle(memory_);  // errors here were already reported by the copy that failed
}

}  // namespace ballotcast::detail
