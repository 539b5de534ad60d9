// The synthetic kernels, compiled for every strategy, kind of work and placement.
#include "backends/benchmarks/launches.hpp"
#include "backends/cuda/machine.cuh"
#include "backends/device/rows.hpp"

namespace ballotcast::detail {

namespace {

/// Waits for 50 microseconds. Writes how many clock ticks and how many nanoseconds passed.
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

 private:
  DeviceBuffer<u64> clock_{2};
};

}  // namespace

std::unique_ptr<SyntheticRunner> cuda_synthetic_runner() {
  return std::make_unique<CudaSyntheticRunner>();
}

}  // namespace ballotcast::detail
