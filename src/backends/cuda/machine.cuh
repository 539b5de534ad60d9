// The CUDA machine: launches, buffers, counters, timings.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "backends/cuda/launch.cuh"
#include "backends/cuda/peers.hpp"
#include "backends/cuda/runtime.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/pipelines/warp/policy.hpp"
#include "kernels/strategies/laboratory/block_cluster.hpp"

namespace ballotcast::detail {

/// Host memory that the GPU writes while the host continues: a copy of WarpFindings, which the host
/// requests, and a word that kernels write (WarpChoice::report).
class FindingsOnHost {
 public:
  FindingsOnHost() { *word() = kNoReport; }

  /// Enqueues a copy of the findings of all work that is on the stream so far.
  void ask(const WarpFindings* findings, cudaStream_t stream) {
    for (u32 k = 0; k < kWords; ++k) words()[k] = kNotYet;
    check(cudaMemcpyAsync(&memory_.data()->copy, findings, sizeof *findings, cudaMemcpyDeviceToHost,
                          stream),
          "read what was found out about the rays");
  }

  /// The copy, if the host has waited for the stream since it called `ask`; else null.
  const WarpFindings* awaited() const { return &memory_.data()->copy; }

  /// The copy, or null if it has not arrived yet. (This does not query an event, because that would
  /// break a graph that another thread is capturing.)
  const WarpFindings* arrived() const {
    for (u32 k = 0; k < kWords; ++k)
      if (words()[k] == kNotYet) return nullptr;
    return &memory_.data()->copy;
  }

  u32* word() const { return &memory_.data()->report; }

  /// Returns the word and resets it to kNoReport.
  u32 take_report() {
    volatile u32& report = *word();
    const u32 taken = report;
    if (taken != kNoReport) report = kNoReport;
    return taken;
  }

 private:
  static constexpr u32 kWords = sizeof(WarpFindings) / sizeof(u32);
  // A value that findings hardly ever have. (If they do, or if the copy of an earlier request
  // arrives late, a cast may use a slower kernel.)
  static constexpr u32 kNotYet = 0xffffffffu;

  volatile u32* words() const { return reinterpret_cast<volatile u32*>(&memory_.data()->copy); }

  struct Memory {
    WarpFindings copy;
    u32 report;
  };
  PinnedBuffer<Memory> memory_;
};

/// True if launches on a stream become part of a graph.
inline bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
         status != cudaStreamCaptureStatusNone;
}

/// A Machine (kernels/pipelines/machine.hpp) on the current CUDA device.
class CudaMachine {
 public:
  static constexpr bool kHasLanes = true;

  CudaMachine() = default;
  ~CudaMachine();
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;

  /// Makes a buffer, which must not outlive the machine.
  template <class T>
  DeviceBuffer<T> make(std::size_t count) {
    return DeviceBuffer<T>(pool_, count);
  }

  /// Sets the number of bytes that the next work takes in total; see MemoryPool::begin_work.
  void begin_work(u64 bytes) { pool_.begin_work(bytes); }

  /// Copies host memory to a new buffer on the device, which may outlive the machine.
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

  /// Copies from one GPU to another; neither must be that of this machine. The copy uses the link
  /// between them if there is one, else host memory.
  template <class T>
  void copy_within(T* to, const T* from, std::size_t count) {
    if (count == 0) return;
    can_reach(from);  // opens the link
    copy(to, from, count * sizeof(T), cudaMemcpyDefault, "copy from GPU to GPU");
  }

  /// Copies to this GPU, from host or device memory.
  template <class T>
  void gather(T* to, const T* from, std::size_t count) {
    is_on_gpu(from) ? copy_within(to, from, count) : copy_in(to, from, count);
  }

  /// Returns the location of memory for another process. `memory` must be the start of a buffer.
  LentMemory lend(const void* memory) { return lend_gpu_memory(memory); }

  /// Calls use(memory) with `count` elements in the memory of another process. Waits for the work
  /// that `use` launches. The memory is closed when the returned object is destroyed, which takes
  /// the host some time. Throws LentMemoryLost if that memory can't be read.
  using Taken = OpenLentMemory;
  template <class T, class Use>
  [[nodiscard]] Taken take(const LentMemory& from, std::size_t, const Use& use) {
    OpenLentMemory there(from);
    use(static_cast<T*>(there.data()));
    wait();
    return there;
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

  /// Launches Kernel in clusters of kClusterBlocks blocks; `blocks` is rounded up to whole ones.
  template <class Kernel, class... Views>
  void launch_in_clusters(const char* description, u32 blocks, u32 block_size,
                          const Views&... views) {
    cudaLaunchAttribute cluster = in_clusters();
    const cudaLaunchConfig_t config = config_of(cluster, blocks, block_size);
    check(cudaLaunchKernelEx(&config, run_kernel<Kernel, Views...>, views...), description);
    running_ = description;
  }

  /// True if this GPU has room for a cluster of kClusterBlocks blocks of Kernel. A part of a GPU
  /// (MIG) may have none.
  template <class Kernel, class... Views>
  bool has_room_for_clusters(u32 block_size) const {
    cudaLaunchAttribute cluster = in_clusters();
    const cudaLaunchConfig_t config = config_of(cluster, kClusterBlocks, block_size);
    int clusters = 0;
    const cudaError_t error =
        cudaOccupancyMaxActiveClusters(&clusters, run_kernel<Kernel, Views...>, &config);
    if (error == cudaErrorInvalidClusterSize) cudaGetLastError();  // clears the error
    if (error != cudaErrorInvalidClusterSize) check(error, "cudaOccupancyMaxActiveClusters");
    return error == cudaSuccess && clusters > 0;
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
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, run_kernel_with_words<Kernel, Views...>,
              static_cast<int>(Kernel::kBlockSize), words * Kernel::kBlockSize * sizeof(u32)),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const int multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount);
    return known = static_cast<u32>(blocks > 0 ? blocks * multiprocessors : multiprocessors);
  }

  WarpChoice* warp_choice() { return choice_.data(); }

  void ask(const WarpChoice* choice) {
    findings_.ask(choice, into_);
    if (may_wait()) wait();
  }
  const WarpFindings* answer() const {
    return may_wait() ? findings_.awaited() : findings_.arrived();
  }
  u32 take_report() { return findings_.take_report(); }
  bool may_ask() const { return may_wait() || !is_captured(into_); }

  WarpPolicy& warp_policy() { return policy_; }

  /// Waits for all work that was launched so far.
  void wait() { check(cudaStreamSynchronize(into_), running_); }

  /// False if launches go to a stream of the caller. Then the host must not wait for the GPU.
  bool may_wait() const { return into_ == stream_; }

  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    if (count == 0) return;
    run_each<Kernel, Views...>
        <<<blocks_for(count, kEachBlockSize), kEachBlockSize, 0, into_>>>(count, views...);
    check(cudaGetLastError(), description);
    running_ = description;
  }

  CastMemory cast_memory() { return {progress_.data(), counters_.data(), 0xffffffffu, ++casts_}; }

  /// Waits for all work that was launched so far, then reads the progress.
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

  /// Frees the staging memory of large copies.
  void release_staging() { staging_.release(); }

  /// Frees memory that only larger batches than the next ones need.
  void release_scratch() {
    for (auto& queue : queues_) queue.release();
    pool_.free_idle();
    staging_.release();
  }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

  /// Calls `work`, which launches kernels, `runs` times. Returns the milliseconds of each run.
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

  /// Calls `before` and then `work`, `runs` times. All launches are enqueued before the device
  /// starts, so that no launch waits for the host. Returns the milliseconds of each `work`.
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

  /// From now on, all launches go to `stream`, which belongs to the caller.
  void launch_into(cudaStream_t stream) { into_ = stream; }

  /// The stream of all launches, for callers that enqueue events or library calls.
  cudaStream_t stream() const { return into_; }

  /// Ends the current stage of the timings and starts stage `name`.
  void stage(const char* name);
  /// Ends the last stage and waits for it. Returns the times of all stages.
  std::vector<StageTime> finish_stages();

 private:
  struct Mark {
    const char* name;
    cudaEvent_t event;
  };

  static cudaLaunchAttribute in_clusters() {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {kClusterBlocks, 1u, 1u};
    return cluster;
  }
  /// Returns the configuration of a launch in clusters. It refers to `cluster`.
  cudaLaunchConfig_t config_of(cudaLaunchAttribute& cluster, u32 blocks, u32 block_size) const {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks_for(blocks, kClusterBlocks) * kClusterBlocks);
    config.blockDim = dim3(block_size);
    config.stream = into_;
    config.attrs = &cluster;
    config.numAttrs = 1u;
    return config;
  }

  template <class T>
  static DeviceBuffer<T> zeroed() {
    DeviceBuffer<T> one(1);
    check(cudaMemset(one.data(), 0, sizeof(T)), "cudaMemset");
    // The streams of this library do not wait for the default stream, so the host waits here.
    check(cudaStreamSynchronize(nullptr), "cudaMemset");
    return one;
  }

  /// The architecture of this GPU: 90 for compute capability 9.0.
  static u32 architecture() {
    return static_cast<u32>(10 * device_attribute(cudaDevAttrComputeCapabilityMajor) +
                            device_attribute(cudaDevAttrComputeCapabilityMinor));
  }

  DeviceBuffer<WarpChoice> first_choice() const {
    DeviceBuffer<WarpChoice> one = zeroed<WarpChoice>();
    u32* const report = findings_.word();
    check(cudaMemcpyAsync(&one.data()->report, &report, sizeof report, cudaMemcpyHostToDevice,
                          stream_),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_), "cudaMemcpyAsync");
    return one;
  }

  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* what) {
    if (bytes == 0) return;
    const auto failed = [&] { return std::string(running_) + ", then " + what; };
    if (bytes >= Staging::kLeast && kind == cudaMemcpyHostToDevice)
      staging_.upload(to, from, bytes, into_, failed());
    else if (bytes >= Staging::kLeast && kind == cudaMemcpyDeviceToHost)
      staging_.download(to, from, bytes, into_, failed());
    else
      check(cudaMemcpyAsync(to, from, bytes, kind, into_), what);
    check(cudaStreamSynchronize(into_), failed());
  }

  MemoryPool pool_;  // must outlive all buffers below
  Stream stream_;
  cudaStream_t into_ = stream_;  // the stream of all launches: stream_ or a stream of the caller
  u32 casts_ = 0;
  // This must outlive the buffers below, because freeing a buffer waits for all copies to this
  // memory.
  FindingsOnHost findings_;
  DeviceBuffer<CastProgress> progress_ = zeroed<CastProgress>();  // its padding is zeroed too
  DeviceBuffer<WarpChoice> choice_ = first_choice();
  DeviceBuffer<u32> counters_{2 * kCounterWords};
  PinnedBuffer<CastProgress> on_host_;
  Staging staging_;
  WarpPolicy policy_{warp_tuning_for(architecture())};
  LoopGraphs graphs_;
  std::array<DeviceBuffer<u32>, 3> queues_{make<u32>(0), make<u32>(0), make<u32>(0)};
  // Cached results of blocks_at_once, by kernel and number of words.
  std::map<std::pair<std::string_view, u32>, u32> held_;
  std::vector<Mark> marks_;
  std::vector<cudaEvent_t> spare_events_;
  // The last work that was launched. An error that the host detects later may be due to this work.
  const char* running_ = "setting up";
};

}  // namespace ballotcast::detail
