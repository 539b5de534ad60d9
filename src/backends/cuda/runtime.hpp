// Wrappers of the CUDA runtime. All its calls are checked here, and classes here own memory, events
// and streams of the device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {

/// A description of `code` with advice, in one line.
std::string explained(cudaError_t code);

/// Throws an error with advice that names `call`: OutOfDeviceMemory if `code` says that memory has
/// run out, else DeviceError. Clears the runtime's stored error, so that the next check does not
/// report it again.
[[noreturn]] void refuse(cudaError_t code, const std::string& call);

/// Calls `refuse`, which throws, unless `code` is success.
inline void check(cudaError_t code, const std::string& call) {
  if (code != cudaSuccess) refuse(code, call);
}

/// An attribute of the current GPU of the calling thread.
inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
  return value;
}

/// Converts a version in CUDA's form, such as 12040, to "12.4".
std::string version_in_words(int version);

/// The version of CUDA that the driver supports. The driver is asked only once, because a GPU that
/// has failed gives no answer.
int driver_version();

/// Allocates device memory. Throws OutOfDeviceMemory, which states the requested and the free
/// amount.
void* take_device_memory(std::size_t bytes);

/// Keeps the memory of freed buffers for later buffers. So a renderer that draws many frames
/// allocates device memory only for the first frame. Blocks in use and idle blocks together never
/// exceed the largest amount that was allowed for any work so far.
///
/// Before the first `begin_work`, freed memory is not kept.
class MemoryPool {
 public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;
  ~MemoryPool() { free_idle(); }

  /// Sets the total amount of memory that the next work takes. If it is more than for any work
  /// before, all idle blocks are freed, because they are too small.
  void begin_work(std::size_t bytes) {
    work_ = bytes;
    if (bytes <= most_) return;
    free_idle();
    most_ = bytes;
  }

  /// Returns at least `bytes` bytes of device memory, from the idle blocks if one fits. Throws
  /// OutOfDeviceMemory if there is not enough memory.
  void* take(std::size_t bytes) {
    const auto block = idle_.lower_bound(bytes);
    if (block != idle_.end() && may_waste(block->first - bytes)) {
      const auto [size, memory] = *block;
      idle_.erase(block);
      idle_bytes_ -= size;
      return lend(memory, size, bytes);
    }
    if (taken_ + idle_bytes_ + bytes > most_) free_idle();
    return lend(take_device_memory(bytes), bytes, bytes);
  }

  void give_back(void* memory) {
    const auto lent = lent_.find(memory);
    const Block block = lent->second;
    lent_.erase(lent);
    taken_ -= block.size;
    asked_ -= block.asked;
    if (taken_ + idle_bytes_ + block.size <= most_) {
      idle_.emplace(block.size, memory);
      idle_bytes_ += block.size;
    } else {
      cudaFree(memory);
    }
  }

  void free_idle() {
    for (const auto& [size, memory] : idle_) cudaFree(memory);
    idle_.clear();
    idle_bytes_ = 0;
  }

 private:
  struct Block {
    std::size_t size, asked;
  };

  void* lend(void* memory, std::size_t size, std::size_t asked) {
    lent_[memory] = {size, asked};
    taken_ += size;
    asked_ += asked;
    return memory;
  }

  /// True if a block may be used that is larger than requested by `bytes`: the rest of this work
  /// must still fit.
  bool may_waste(std::size_t bytes) const { return work_ + (taken_ - asked_) + bytes <= most_; }

  std::multimap<std::size_t, void*> idle_;  // by size in bytes
  std::map<void*, Block> lent_;
  std::size_t taken_ = 0,
              asked_ = 0;  // total size of the blocks in use, and total of the requested sizes
  std::size_t idle_bytes_ = 0;
  std::size_t work_ = 0, most_ = 0;
};

/// An array in device memory. Owns it; move-only.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count)
      : data_(count ? static_cast<T*>(take_device_memory(count * sizeof(T))) : nullptr),
        size_(count) {}
  /// Allocates memory from `pool` and returns it there in the destructor. `pool` must outlive this
  /// buffer.
  DeviceBuffer(MemoryPool& pool, std::size_t count)
      : data_(count ? static_cast<T*>(pool.take(count * sizeof(T))) : nullptr),
        size_(count),
        pool_(&pool) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept { *this = std::move(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(pool_, other.pool_);
    return *this;
  }
  ~DeviceBuffer() { release(); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Makes room for at least `count` elements. The previous content is lost.
  void require(std::size_t count) {
    if (count <= size_) return;
    release();
    *this = pool_ ? DeviceBuffer(*pool_, count) : DeviceBuffer(count);
  }

  /// Frees the memory.
  void release() {
    if (!data_) return;
    if (pool_)
      pool_->give_back(data_);
    else
      cudaFree(data_);  // errors were already reported by the call that failed
    data_ = nullptr;
    size_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  MemoryPool* pool_ = nullptr;
};

/// Owns one element in page-locked host memory, to which the device copies without staging.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() { check(cudaMallocHost(&data_, sizeof(T)), "cudaMallocHost"); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// Owns an event.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }

  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Owns a stream.
class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Large copies between pageable host memory and the device.
///
/// The driver copies pageable memory through a page-locked buffer of its own, which one thread
/// fills. Here all threads fill and empty the buffers. Meanwhile the device copies another buffer:
///
///   host memory  --all threads-->  buffer 0 | buffer 1 | buffer 2  --device-->  device memory
class Staging {
 public:
  /// The smallest copy in bytes that is staged. For smaller copies, staging is not faster.
  static constexpr std::size_t kLeast = std::size_t{4} << 20;

  /// Copies to the device on a stream. When the function returns, `from` may be overwritten. `what`
  /// names the operation in errors.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
              const std::string& what);
  /// Copies to the host, and waits. If there is no page-locked memory, `upload` and `download` let
  /// the driver do the copy.
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                const std::string& what);

  /// Frees the page-locked buffers.
  void release() { slots_.reset(); }

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  struct Memory {
    std::byte bytes[kBytes];
  };
  struct Slot {
    PinnedBuffer<Memory> memory;
    Event done;  // recorded after the device has copied the slot's content
  };
  static constexpr std::size_t kSlots = 3;

  /// Allocates all slots if this was not done before. Returns false if there is no memory for them.
  bool has_slots();
  Slot& slot(std::size_t k) { return (*slots_)[k % kSlots]; }

  std::unique_ptr<std::array<Slot, kSlots>> slots_;
};

}  // namespace ballotcast::detail
