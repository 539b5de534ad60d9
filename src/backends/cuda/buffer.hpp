// Memory, events and streams of the device.
#pragma once

#include <cstddef>
#include <utility>

#include "backends/cuda/memory_pool.hpp"

namespace ballotcast::detail {

/// An array in device memory. Owns it; move-only.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t count)
      : data_(count ? static_cast<T*>(take_device_memory(count * sizeof(T))) : nullptr),
        size_(count) {}
  /// Takes its memory from `pool`, which must outlive it, and gives it back there.
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

  /// Gives the memory back.
  void release() {
    if (!data_) return;
    if (pool_)
      pool_->give_back(data_);
    else
      cudaFree(data_);  // errors here were already reported by the call that failed
    data_ = nullptr;
    size_ = 0;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  MemoryPool* pool_ = nullptr;
};

/// One element in pinned host memory, to which the device copies without staging. Owns it.
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

/// An event in a stream. Owns it.
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

/// A stream. Owns it.
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

}  // namespace ballotcast::detail
