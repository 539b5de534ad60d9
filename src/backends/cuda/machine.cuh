// The CUDA machine: launches, buffers, the counter, timings.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/lane.cuh"
#include "kernels/frame_settings.hpp"

namespace ballotcast {

/// A kernel with collectives on the GPU: this is all there is to it.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(kLargestBlock) run_kernel(Views... views) {
  CudaLane lane;
  __shared__ typename Kernel::Shared shared;
  Kernel::run(lane, shared, views...);
}

/// A kernel without: once an index.
template <class Kernel, class... Views>
__global__ void run_each(u32 count, Views... views) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Kernel::item(i, views...);
}

/// A Machine (kernels/pipelines/pipeline.hpp) on the current CUDA device.
class CudaMachine {
 public:
  CudaMachine();
  ~CudaMachine();
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;

  template <class T>
  DeviceBuffer<T> make(std::size_t count) {
    return DeviceBuffer<T>(count);
  }

  /// A copy of host memory on the device.
  template <class T>
  DeviceBuffer<T> upload(const T* from, std::size_t count) {
    DeviceBuffer<T> buffer(count);
    copy_in(buffer.data(), from, count);
    return buffer;
  }

  template <class T>
  void copy_in(T* to, const T* from, std::size_t count) {
    copy(to, from, count * sizeof(T), cudaMemcpyHostToDevice, "upload");
  }

  template <class T>
  void download(T* to, const T* from, std::size_t count) {
    copy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, "download");
  }

  template <class Kernel, class... Views>
  void launch(const char* description, u32 blocks, u32 block_size, const Views&... views) {
    run_kernel<Kernel, Views...><<<blocks, block_size, 0, stream_>>>(views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    if (count == 0) return;
    run_each<Kernel, Views...><<<(count + 255u) / 256u, 256, 0, stream_>>>(count, views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  CounterView clear_counter() {
    check(cudaMemsetAsync(counter_, 0, sizeof(u32), stream_), "clear the counter");
    return {counter_, 0xffffffffu};
  }

  /// Waits for everything launched so far.
  u32 read_counter() {
    check(cudaMemcpyAsync(counter_on_host_, counter_, sizeof(u32), cudaMemcpyDeviceToHost, stream_),
          "read the counter");
    check(cudaStreamSynchronize(stream_), running_);
    return *counter_on_host_;
  }

  u32* queue(u32 index, u32 count) {
    queues_[index].require(count);
    return queues_[index].data();
  }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

  /// What everything above is launched into, for those who put events or libraries' work between.
  cudaStream_t stream() const { return stream_; }

  /// Starts a stage of the timings; the one before ends.
  void stage(const char* name);
  /// Waits for the last stage to end and returns the times of all.
  std::vector<StageTime> finish_stages();

 private:
  struct Mark {
    const char* name;
    cudaEvent_t event;
  };

  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* what) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, bytes, kind, stream_), what);
    check(cudaStreamSynchronize(stream_), std::string(running_) + ", then " + what);
  }

  cudaStream_t stream_ = nullptr;
  u32* counter_ = nullptr;
  u32* counter_on_host_ = nullptr;  // pinned
  std::array<DeviceBuffer<u32>, 2> queues_;
  std::vector<Mark> marks_;
  std::vector<cudaEvent_t> spare_events_;
  const char* running_ = "nothing";  // what an error found later may stem from
};

}  // namespace ballotcast
