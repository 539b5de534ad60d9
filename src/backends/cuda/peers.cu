#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "backends/cuda/peers.hpp"
#include "backends/cuda/runtime.hpp"

namespace ballotcast::detail {

namespace {

cudaPointerAttributes attributes_of(const void* memory) {
  cudaPointerAttributes attributes;
  check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
  return attributes;
}

bool is_on_gpu(const cudaPointerAttributes& attributes) {
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

/// Makes the memory of another GPU accessible to the current GPU. Returns false if this is
/// impossible.
bool open_way(int here, int there) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, here, there), "cudaDeviceCanAccessPeer");
  if (!can) return false;
  const cudaError_t code = cudaDeviceEnablePeerAccess(there, 0);
  if (code == cudaSuccess) return true;
  cudaGetLastError();  // clears the error, so that the next check does not report it
  // True if the program that uses this library has enabled it
  return code == cudaErrorPeerAccessAlreadyEnabled;
}

}  // namespace

bool is_on_gpu(const void* memory) { return is_on_gpu(attributes_of(memory)); }

int device_of(const void* memory) {
  const cudaPointerAttributes attributes = attributes_of(memory);
  return is_on_gpu(attributes) ? attributes.device : -1;
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

OnDevice::OnDevice(int device) : before_(current_device()) {
  if (before_ == device) return;
  check(cudaSetDevice(device), "cudaSetDevice");
  changed_ = true;
}

OnDevice::~OnDevice() {
  // Errors can't be handled here, but the device was usable before
  if (changed_) cudaSetDevice(before_);
}

void wait_for_device() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

bool can_reach(const void* memory) {
  static std::mutex mutex;
  static std::map<std::pair<int, int>, bool> known;
  const int here = current_device();
  const int there = device_of(memory);
  if (there == here) return true;
  if (there < 0) return false;
  const std::lock_guard lock(mutex);
  const auto found = known.find({here, there});
  if (found != known.end()) return found->second;
  return known[{here, there}] = open_way(here, there);
}

namespace {

[[noreturn]] void lose(const std::string& why, cudaError_t code) {
  cudaGetLastError();  // clears the error, so that the next check does not report it
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
  cudaIpcCloseMemHandle(memory_);  // errors were already reported by the copy that failed
}

}  // namespace ballotcast::detail
