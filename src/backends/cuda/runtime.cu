#include <algorithm>
#include <cstdlib>

#include "backends/cuda/runtime.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

std::string driver_too_old() {
  int driver = 0;
  const bool known = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
  return "the NVIDIA driver is too old: " +
         (known ? "it is for CUDA " + version_in_words(driver) + ", " : std::string()) +
         "this program was built with CUDA " + version_in_words(CUDART_VERSION) +
         "; update the driver, or build with a CUDA Toolkit that it supports";
}

std::string no_device() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible)
    return "the driver shows no GPU: CUDA_VISIBLE_DEVICES is '" + std::string(visible) +
           "', which hides all; unset it, or set it to a GPU that nvidia-smi -L lists";
  return "the driver finds no GPU; nvidia-smi -L lists those it knows";
}

const char* const kLost =
    "this program can't use the GPU any more; if that happens again, device cpu gives the same "
    "result";

/// Advice for users about an error, or "".
std::string advice(cudaError_t code) {
  switch (code) {
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceAlreadyInUse:
      return "another program uses the GPU exclusively (nvidia-smi -q -d COMPUTE), or it is being "
             "reset; wait, select another GPU with CUDA_VISIBLE_DEVICES, or use device cpu";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "this program has no code for that GPU; build it there, or for every GPU with "
             "tools/build --for-all-gpus";
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorJitCompilationDisabled:
      return "this program has no native code for that GPU, and the driver can't compile its PTX; "
             "update the driver, or build the program there";
    case cudaErrorSystemDriverMismatch:
      return "the driver's library and its kernel module are of different versions, as after an "
             "update; restart the machine or reload the module";
    case cudaErrorSystemNotReady:
      return "the driver is not ready; nvidia-fabricmanager may need to be started";
    case cudaErrorCompatNotSupportedOnDevice:
      return "the CUDA compatibility package does not support this GPU; remove it from "
             "LD_LIBRARY_PATH";
    case cudaErrorStubLibrary:
      return "the libcuda.so.1 that was found is the CUDA Toolkit's stub; remove its folder from "
             "LD_LIBRARY_PATH";
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
      return std::string("the hardware failed (nvidia-smi -q -d ECC); ") + kLost;
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorUnknown:
      return kLost;
    default:
      return "";
  }
}

/// The text and the name of an error: "an illegal memory access was encountered
/// (cudaErrorIllegalAddress)".
std::string named(cudaError_t code) {
  return std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ")";
}

}  // namespace

std::string version_in_words(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int driver_version() {
  static const int version = [] {
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    return driver;
  }();
  return version;
}

std::string explained(cudaError_t code) {
  if (code == cudaErrorInsufficientDriver) return driver_too_old();
  if (code == cudaErrorNoDevice) return no_device();
  const std::string what_to_do = advice(code);
  return named(code) + (what_to_do.empty() ? "" : ": " + what_to_do);
}

void refuse(cudaError_t code, const std::string& call) {
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation)
    throw OutOfDeviceMemory("out of device memory in " + call +
                            "; try a smaller scene, less at a time, or another device");
  throw DeviceError("CUDA: " + call + ": " + explained(code));
}

void* take_device_memory(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw OutOfDeviceMemory("out of device memory: wanted " + bytes_in_words(bytes) + ", " +
                            bytes_in_words(free) + " of " + bytes_in_words(total) +
                            " are free; try a smaller scene, less at a time, or another device");
  }
  check(code, "cudaMalloc");
  return memory;
}

namespace {

/// A chunk of a copy: its offset and its length in bytes.
struct ByteRange {
  std::size_t first, bytes;
};

ByteRange chunk_of(std::size_t k, std::size_t size, std::size_t all) {
  return {k * size, std::min(size, all - k * size)};
}

}  // namespace

bool Staging::has_slots() {
  try {
    if (!slots_) slots_ = std::make_unique<std::array<Slot, kSlots>>();
    return true;
  } catch (const OutOfDeviceMemory&) {
    return false;
  }
}

void Staging::upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                     const std::string& what) {
  if (!has_slots())
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), what);
  for (std::size_t k = 0; k * kBytes < bytes; ++k) {
    const ByteRange chunk = chunk_of(k, kBytes, bytes);
    Slot& its = slot(k);
    // Waits for the chunk that was in this buffer before
    check(cudaEventSynchronize(its.done), what);
    copy_bytes(its.memory.data()->bytes, static_cast<const std::byte*>(from) + chunk.first,
               chunk.bytes);
    check(cudaMemcpyAsync(static_cast<std::byte*>(to) + chunk.first, its.memory.data()->bytes,
                          chunk.bytes, cudaMemcpyHostToDevice, stream),
          what);
    check(cudaEventRecord(its.done, stream), what);
  }
}

void Staging::download(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                       const std::string& what) {
  if (!has_slots())
    return check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), what);
  const std::size_t chunks = (bytes + kBytes - 1u) / kBytes;
  const auto begin = [&](std::size_t k) {
    if (k >= chunks) return;
    const ByteRange chunk = chunk_of(k, kBytes, bytes);
    Slot& its = slot(k);
    check(
        cudaMemcpyAsync(its.memory.data()->bytes, static_cast<const std::byte*>(from) + chunk.first,
                        chunk.bytes, cudaMemcpyDeviceToHost, stream),
        what);
    check(cudaEventRecord(its.done, stream), what);
  };
  for (std::size_t k = 0; k < kSlots; ++k) begin(k);
  for (std::size_t k = 0; k < chunks; ++k) {
    const ByteRange chunk = chunk_of(k, kBytes, bytes);
    Slot& its = slot(k);
    check(cudaEventSynchronize(its.done), what);
    copy_bytes(static_cast<std::byte*>(to) + chunk.first, its.memory.data()->bytes, chunk.bytes);
    begin(k + kSlots);
  }
}

}  // namespace ballotcast::detail
