#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/cuda/cub_sum.cuh"

namespace ballotcast::detail {

void cub_sum(const u32* values, u32 count, u32* sum, DeviceBuffer<u8>& scratch,
             cudaStream_t stream) {
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, values, sum, static_cast<int>(count), stream),
        "cub::DeviceReduce::Sum, scratch");
  scratch.require(bytes);
  check(cub::DeviceReduce::Sum(scratch.data(), bytes, values, sum, static_cast<int>(count), stream),
        "cub::DeviceReduce::Sum");
}

void cub_starts(const u32* counts, u32 count, u64* starts, DeviceBuffer<u8>& scratch,
                cudaStream_t stream) {
  check(cudaMemsetAsync(starts, 0, sizeof *starts, stream), "cudaMemsetAsync");
  if (count == 0) return;
  const int items = static_cast<int>(count);
  const auto scan = [&](void* memory, std::size_t& bytes) {
    // The type of the initial value is that of the sums.
    return cub::DeviceScan::InclusiveScanInit(memory, bytes, counts, starts + 1,
                                              cuda::std::plus<u64>{}, u64{0}, items, stream);
  };
  std::size_t bytes = 0;
  check(scan(nullptr, bytes), "cub::DeviceScan, scratch");
  scratch.require(bytes);
  check(scan(scratch.data(), bytes), "cub::DeviceScan");
}

}  // namespace ballotcast::detail
