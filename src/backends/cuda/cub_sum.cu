#include <cub/device/device_reduce.cuh>

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

}  // namespace ballotcast::detail
