// The kernels of benchmarks: primitives, and the synthetic kernels for every strategy, kind of work
// and placement.
#include <algorithm>
#include <cmath>

#include "backends/benchmarks/launches.hpp"
#include "backends/benchmarks/synthetic_runner.hpp"
#include "backends/cuda/adds.cuh"
#include "backends/cuda/clusters.cuh"
#include "backends/cuda/cub.cuh"
#include "backends/cuda/machine.cuh"
#include "backends/device/backend.hpp"

namespace ballotcast::detail {

namespace {

// The least time of a batch of runs: much longer than the resolution of events, which is half a
// microsecond.
constexpr double kBatchMs = 1.0;
constexpr u32 kLargestBatch = 64;  // the most runs in a batch, even if they take less than kBatchMs

/// Measures the time of work on a stream with a pair of events.
class EventTimer {
 public:
  explicit EventTimer(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~EventTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  /// Measures the device time of the work that `enqueue` puts on the stream, in milliseconds.
  template <class Enqueue>
  double time(Enqueue&& enqueue) {
    check(cudaEventRecord(start_, stream_), "cudaEventRecord");
    enqueue();
    check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "a primitive that was timed");
    float ms = 0.0f;
    check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

class CudaPrimitiveLab final : public PrimitiveLab {
 public:
  CudaPrimitiveLab() {
    const u32 lanes = static_cast<u32>(device_attribute(cudaDevAttrMultiProcessorCount)) *
                      static_cast<u32>(device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
    lanes_at_once_ = lanes / kLargestBlock * kLargestBlock;
  }

  std::string describe() const override { return cuda_describe(); }
  bool has_times() const override { return true; }
  u32 lanes_at_once() const override { return lanes_at_once_; }
  std::string unavailable(const PrimitiveCase&) const override { return ""; }

  void set_values(const std::vector<u32>& values) override {
    values_ = DeviceBuffer<u32>();  // frees the old values before the new ones are allocated
    values_ = machine_.upload(values.data(), values.size());
    sums_.require(values.size() / kWarpSize + 1u);
    next_sums_.require(values.size() / kWarpSize + 1u);
  }

  std::vector<u32> outputs(const PrimitiveCase& what) override {
    return std::visit(
        [&](const auto& c) {
          make_room(c, true);
          const u32* from = enqueue(c);
          std::vector<u32> out(count_of(c));
          machine_.download(out.data(), from, out.size());
          return out;
        },
        what);
  }

  std::vector<double> time_ms(const PrimitiveCase& what, u32 runs) override {
    return std::visit(
        [&](const auto& c) {
          make_room(c, false);
          EventTimer timer(machine_.stream());
          enqueue(c);  // the first launch also loads the code
          const double once = timer.time([&] { enqueue(c); });
          const u32 batch =
              static_cast<u32>(std::clamp(std::ceil(kBatchMs / once), 1.0, 1.0 * kLargestBatch));
          std::vector<double> times(runs);
          for (double& ms : times)
            ms = timer.time([&] {
              for (u32 i = 0; i < batch; ++i) enqueue(c);
            }) / batch;
          return times;
        },
        what);
  }

 private:
  template <class Case>
  static std::size_t count_of(const Case& c) {
    return output_count(c);
  }
  static std::size_t count_of(const ReductionCase& c) { return c.name == "copy" ? c.count : 1u; }

  /// Makes room for all outputs of the case. If `rubbish` is true, fills the memory with arbitrary
  /// values, so that an output that the kernel does not write is noticed.
  template <class Case>
  void make_room(const Case& c, bool rubbish) {
    out_.require(count_of(c));
    if (rubbish) spoil(out_);
  }
  void make_room(const ReductionCase& c, bool rubbish) {
    require_values(c, values_.size());
    out_.require(count_of(c));
    if (!rubbish) return;
    spoil(out_);
    spoil(sums_);
    spoil(next_sums_);
  }
  void spoil(const DeviceBuffer<u32>& buffer) {
    check(cudaMemsetAsync(buffer.data(), 0xcd, buffer.size() * sizeof(u32), machine_.stream()),
          "cudaMemsetAsync");
  }

  /// Enqueues the case. Returns the address of its outputs.
  template <class Case>
  const u32* enqueue(const Case& c) {
    launch_case(machine_, c, out_.data());
    return out_.data();
  }
  const u32* enqueue(const ReductionCase& c) {
    if (c.name == "cub") {
      cub_sum(values_.data(), c.count, out_.data(), cub_scratch_, machine_.stream());
      return out_.data();
    }
    if (c.name == "copy") {
      check(cudaMemcpyAsync(out_.data(), values_.data(), c.count * sizeof(u32),
                            cudaMemcpyDeviceToDevice, machine_.stream()),
            "copy on the device");
      return out_.data();
    }
    return launch_reduction(machine_, c, {values_.data(), sums_.data(), next_sums_.data()},
                            lanes_at_once_);
  }

  CudaMachine machine_;
  u32 lanes_at_once_ = 0;
  DeviceBuffer<u32> values_, sums_, next_sums_, out_;
  DeviceBuffer<u8> cub_scratch_;
};

/// Waits for 50 microseconds. Writes the number of clock ticks and the number of nanoseconds that
/// have passed.
__global__ void measure_clock(u64* ticks_and_nanoseconds) {
  constexpr u64 kNanoseconds = 50000;
  u64 begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long first = clock64();
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < kNanoseconds);
  ticks_and_nanoseconds[0] = static_cast<u64>(clock64() - first);
  ticks_and_nanoseconds[1] = now - begin;
}

class CudaSyntheticRunner final : public MachineSyntheticRunner<CudaMachine> {
 public:
  std::vector<double> time(const SyntheticCase& c, u32 runs) override {
    const SyntheticView view = prepare(c);
    return machine_.time_queued(
        runs, [&] { clear_counter(); }, [&] { enqueue<Works>(machine_, c, view); });
  }

  double clock_mhz() override {
    u64 result[2];
    measure_clock<<<1, 1, 0, machine_.stream()>>>(clock_.data());
    check(cudaGetLastError(), "measure the clock");
    machine_.download(result, static_cast<const u64*>(clock_.data()), 2);
    return 1e3 * static_cast<double>(result[0]) / static_cast<double>(result[1]);
  }

  u32 blocks_in_cluster() const override { return kClusterBlocks; }

  std::string unavailable(const SyntheticCase& c) const override {
    const bool cluster = c.subject == ClusterCount::info.name || c.subject == RedAsync::info.name;
    if (!cluster) return "";
    if (device_attribute(cudaDevAttrComputeCapabilityMajor) <
        static_cast<int>(kOldestWithClusters / 10u))
      return "not on this device: only GPUs of compute capability 9.0 and later have clusters";
    if (code_is_for() < kOldestWithClusters)
      return "this program was built for older GPUs, which have no clusters";
    if (c.subject == RedAsync::info.name && !BC_HAS_RED_ASYNC)
      return "this program was built by an nvcc before 12.1, which does not know red.async";
    if (!has_room_for_cluster(c))
      return "this GPU, or this part of it, has no room for a cluster of " +
             std::to_string(kClusterBlocks) + " blocks";
    return "";
  }

 protected:
  void sort(const Pairs& pairs) override {
    cub_sort_bins(pairs.keys, pairs.keys + pairs.count, pairs.ids, pairs.sorted, pairs.count,
                  pairs.bits, cub_scratch_, machine_.stream());
  }

 private:
  /// True if the GPU can run the kernel of a case that needs clusters.
  bool has_room_for_cluster(const SyntheticCase& c) const {
    bool has_room = false;
    dispatch(TypeList<ClusterCount, RedAsync>{}, "strategy", c.subject, [&](auto strategy) {
      dispatch(Works{}, "work", c.work, [&](auto work) {
        using Kernel =
            ReportAfterWork<typename decltype(work)::type, typename decltype(strategy)::type>;
        has_room = machine_.template has_room_for_clusters<Kernel, SyntheticView, CounterView>(
            c.block_size);
      });
    });
    return has_room;
  }

  /// The compute capability for which the kernels were compiled, times 10.
  static u32 code_is_for() {
    using Kernel = ReportAfterWork<FlagWork, ClusterCount>;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, run_kernel<Kernel, SyntheticView, CounterView>),
          "cudaFuncGetAttributes");
    return static_cast<u32>(attributes.ptxVersion);
  }

  DeviceBuffer<u8> cub_scratch_;
  DeviceBuffer<u64> clock_{2};
};

}  // namespace

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64) {
  return std::make_unique<CudaPrimitiveLab>();
}

std::unique_ptr<SyntheticRunner> cuda_synthetic_runner() {
  return std::make_unique<CudaSyntheticRunner>();
}

}  // namespace ballotcast::detail
