// The CUDA machine: launches, buffers, the counter, timings.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "backends/cuda/buffer.hpp"
#include "backends/cuda/graph.cuh"
#include "backends/cuda/lane.cuh"
#include "kernels/frame_settings.hpp"
#include "kernels/pipelines/pipeline.hpp"
#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// A kernel with collectives on the GPU: this is all there is to it.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(kLargestBlock, 1) run_kernel(Views... views) {
  CudaLane lane;
  __shared__ typename Kernel::Shared shared;
  Kernel::run(lane, shared, views...);
}

/// One whose shared memory are words, as many as the launch says.
template <class Kernel, class... Views>
__global__ void __launch_bounds__(Kernel::kBlockSize, Kernel::kBlocksAtOnce)
    run_kernel_with_words(Views... views) {
  extern __shared__ u32 words[];
  u32* shared = words;
  CudaLane lane;
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
  CudaMachine() = default;
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
    run_kernel<Kernel, Views...><<<blocks, block_size, 0, into_>>>(views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  template <class Kernel, class... Views>
  void launch_with_words(const char* description, u32 blocks, u32 words, const Views&... views) {
    run_kernel_with_words<Kernel, Views...>
        <<<blocks, Kernel::kBlockSize, words * Kernel::kBlockSize * sizeof(u32), into_>>>(views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  template <class Kernel, class... Views>
  u32 blocks_at_once(u32 words) {
    u32& known = held_[{typeid(Kernel).name(), words}];
    if (known) return known;
    int blocks = 0, device = 0, multiprocessors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, run_kernel_with_words<Kernel, Views...>,
              static_cast<int>(Kernel::kBlockSize), words * Kernel::kBlockSize * sizeof(u32)),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    return known = static_cast<u32>(blocks > 0 ? blocks * multiprocessors : multiprocessors);
  }

  WarpChoice* warp_choice() { return choice_.data(); }

  /// Waits for everything launched so far.
  WarpChoice read(const WarpChoice* choice) {
    check(cudaMemcpyAsync(choice_on_host_.data(), choice, sizeof *choice, cudaMemcpyDeviceToHost,
                          into_),
          "read the choice");
    check(cudaStreamSynchronize(into_), running_);
    return *choice_on_host_.data();
  }

  /// Not for what is launched into another's stream.
  bool may_wait() const { return into_ == stream_; }

  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    if (count == 0) return;
    run_each<Kernel, Views...><<<(count + 255u) / 256u, 256, 0, into_>>>(count, views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  CastMemory cast_memory() { return {progress_.data(), counters_.data(), 0xffffffffu, ++casts_}; }

  /// Waits for everything launched so far.
  CastProgress read(const CastProgress* progress) {
    check(
        cudaMemcpyAsync(on_host_.data(), progress, sizeof *progress, cudaMemcpyDeviceToHost, into_),
        "read the counter");
    check(cudaStreamSynchronize(into_), running_);
    return *on_host_.data();
  }

  template <class Launch, class Body>
  void repeat(const Launch& launch, const CastProgress* progress, const std::vector<u32>& sizes,
              Body body) {
    static_assert(std::is_trivially_copyable_v<Launch>);
    std::string key(reinterpret_cast<const char*>(&launch), sizeof launch);
    graphs_.run(key + typeid(Launch).name(), into_, progress, sizes, body);
    running_ = "loop of a graph";
  }

  RayQueue queue(u32 index, u32 count) {
    queues_[index].require(count);
    return {queues_[index].data(), count};
  }

  /// Frees what casts of larger batches left.
  void release_scratch() { queues_ = {}; }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

  /// Calls `work`, which launches something, `runs` times; returns the milliseconds of each.
  template <class Work>
  std::vector<double> time(u32 runs, Work work) {
    std::vector<double> times;
    const Event begin, end;
    for (u32 run = 0; run < runs; ++run) {
      check(cudaEventRecord(begin, into_), "cudaEventRecord");
      work();
      check(cudaEventRecord(end, into_), "cudaEventRecord");
      check(cudaEventSynchronize(end), running_);
      float ms = 0.0f;
      check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
      times.push_back(ms);
    }
    return times;
  }

  /// Calls `before` and then `work`, `runs` times, all of it queued ahead of the device so that no
  /// launch waits for the host; returns the milliseconds of each `work`.
  template <class Before, class Work>
  std::vector<double> time_queued(u32 runs, Before before, Work work) {
    std::vector<Event> events(2u * runs);
    for (u32 run = 0; run < runs; ++run) {
      before();
      check(cudaEventRecord(events[2u * run], into_), "cudaEventRecord");
      work();
      check(cudaEventRecord(events[2u * run + 1u], into_), "cudaEventRecord");
    }
    check(cudaStreamSynchronize(into_), running_);
    std::vector<double> times;
    for (u32 run = 0; run < runs; ++run) {
      float ms = 0.0f;
      check(cudaEventElapsedTime(&ms, events[2u * run], events[2u * run + 1u]),
            "cudaEventElapsedTime");
      times.push_back(ms);
    }
    return times;
  }

  /// From here on everything is launched into `stream`, which is another's.
  void launch_into(cudaStream_t stream) { into_ = stream; }

  /// What everything above is launched into, for those who put events or libraries' work between.
  cudaStream_t stream() const { return into_; }

  /// Starts a stage of the timings; the one before ends.
  void stage(const char* name);
  /// Waits for the last stage to end and returns the times of all.
  std::vector<StageTime> finish_stages();

 private:
  struct Mark {
    const char* name;
    cudaEvent_t event;
  };

  template <class T>
  static DeviceBuffer<T> zeroed() {
    DeviceBuffer<T> one(1);
    check(cudaMemset(one.data(), 0, sizeof(T)), "cudaMemset");
    check(cudaStreamSynchronize(nullptr), "cudaMemset");  // our streams don't wait for that one
    return one;
  }

  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* what) {
    if (bytes == 0) return;
    check(cudaMemcpyAsync(to, from, bytes, kind, into_), what);
    check(cudaStreamSynchronize(into_), std::string(running_) + ", then " + what);
  }

  Stream stream_;
  cudaStream_t into_ = stream_;  // where launches go
  u32 casts_ = 0;
  DeviceBuffer<CastProgress> progress_ = zeroed<CastProgress>();  // its padding, too
  DeviceBuffer<WarpChoice> choice_ = zeroed<WarpChoice>();
  DeviceBuffer<u32> counters_{2 * kCounterWords};
  PinnedBuffer<CastProgress> on_host_;
  PinnedBuffer<WarpChoice> choice_on_host_;
  LoopGraphs graphs_;
  std::array<DeviceBuffer<u32>, 2> queues_;
  std::map<std::pair<std::string_view, u32>, u32> held_;  // blocks at once, of a kernel and words
  std::vector<Mark> marks_;
  std::vector<cudaEvent_t> spare_events_;
  const char* running_ = "setting up";  // what an error found later may stem from
};

}  // namespace ballotcast::detail
