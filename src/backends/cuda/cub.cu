#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "backends/cuda/cub.cuh"

namespace ballotcast::detail {

namespace {

/// Runs a function of CUB, which is called twice: with null it only sets `bytes` to the size of the
/// scratch memory that it needs, then it runs with that memory.
template <class Run>
void run_with(DeviceBuffer<u8>& scratch, const char* description, Run run) {
  std::size_t bytes = 0;
  check(run(nullptr, bytes), description);
  scratch.require(bytes);
  check(run(scratch.data(), bytes), description);
}

}  // namespace

void cub_sum(const u32* values, u32 count, u32* sum, DeviceBuffer<u8>& scratch,
             cudaStream_t stream) {
  run_with(scratch, "cub::DeviceReduce::Sum", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, values, sum, static_cast<int>(count), stream);
  });
}

void cub_starts(const u32* counts, u32 count, u64* starts, DeviceBuffer<u8>& scratch,
                cudaStream_t stream) {
  check(cudaMemsetAsync(starts, 0, sizeof *starts, stream), "cudaMemsetAsync");
  if (count == 0) return;
  const int items = static_cast<int>(count);
  run_with(scratch, "cub::DeviceScan", [&](void* memory, std::size_t& bytes) {
    // The type of the initial value determines the type of the sums.
    return cub::DeviceScan::InclusiveScanInit(memory, bytes, counts, starts + 1,
                                              cuda::std::plus<u64>{}, u64{0}, items, stream);
  });
}

namespace {

struct CountSlot {
  __host__ __device__ ploc::Before operator()(u8 slot) const { return ploc::counted(slot); }
};

struct AddBefore {
  __host__ __device__ ploc::Before operator()(const ploc::Before& a, const ploc::Before& b) const {
    return a + b;
  }
};

constexpr const char* kSortPairs = "cub::DeviceRadixSort::SortPairs";
constexpr const char* kExclusiveScan = "cub::DeviceScan::ExclusiveScan";

/// Sorts pairs. If `scratch` is null, only sets `bytes` to the required size of the scratch memory.
cudaError_t sort(void* scratch, std::size_t& bytes, CubPairs& pairs, u32 count, u32 bits,
                 cudaStream_t stream) {
  cub::DoubleBuffer<u64> keys(pairs.keys, pairs.spare_keys);
  cub::DoubleBuffer<u32> values(pairs.values, pairs.spare_values);
  const cudaError_t error = cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, count, 0,
                                                            static_cast<int>(bits), stream);
  if (scratch) pairs = {keys.Current(), keys.Alternate(), values.Current(), values.Alternate()};
  return error;
}

cudaError_t sum_before(void* scratch, std::size_t& bytes, const u8* slots, u32 count,
                       ploc::Before* before, cudaStream_t stream) {
  const auto counted = thrust::make_transform_iterator(slots, CountSlot{});
  return cub::DeviceScan::ExclusiveScan(scratch, bytes, counted, before, AddBefore{},
                                        ploc::Before{0, 0}, count + 1, stream);
}

}  // namespace

void cub_sort(CubPairs& pairs, u32 count, u32 bits, DeviceBuffer<u8>& scratch,
              cudaStream_t stream) {
  run_with(scratch, kSortPairs, [&](void* memory, std::size_t& bytes) {
    return sort(memory, bytes, pairs, count, bits, stream);
  });
}

namespace {

cudaError_t sort_keys(void* scratch, std::size_t& bytes, cub::DoubleBuffer<u64>& keys, u32 count,
                      u32 first_bit, u32 end_bit, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, count, static_cast<int>(first_bit),
                                        static_cast<int>(end_bit), stream);
}

constexpr const char* kSortKeys = "cub::DeviceRadixSort::SortKeys";

}  // namespace

std::size_t cub_scratch_for_keys(u32 count, u32 first_bit, u32 end_bit) {
  cub::DoubleBuffer<u64> keys(nullptr, nullptr);
  std::size_t bytes = 0;
  check(sort_keys(nullptr, bytes, keys, count, first_bit, end_bit, nullptr), kSortKeys);
  return bytes;
}

void cub_sort_keys(CubKeys& keys, u32 count, u32 first_bit, u32 end_bit,
                   const DeviceBuffer<u8>& scratch, cudaStream_t stream) {
  cub::DoubleBuffer<u64> both(keys.keys, keys.spare_keys);
  std::size_t bytes = scratch.size();
  check(sort_keys(scratch.data(), bytes, both, count, first_bit, end_bit, stream), kSortKeys);
  keys = {both.Current(), both.Alternate()};
}

void cub_sort_bins(const u8* keys, u8* sorted_keys, const u32* values, u32* sorted_values,
                   u32 count, u32 bits, DeviceBuffer<u8>& scratch, cudaStream_t stream) {
  run_with(scratch, kSortPairs, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, values, sorted_values,
                                           count, 0, static_cast<int>(bits), stream);
  });
}

void cub_sum_before(const u8* slots, u32 count, ploc::Before* before, DeviceBuffer<u8>& scratch,
                    cudaStream_t stream) {
  run_with(scratch, kExclusiveScan, [&](void* memory, std::size_t& bytes) {
    return sum_before(memory, bytes, slots, count, before, stream);
  });
}

void cub_reserve(u32 count, u32 bits, DeviceBuffer<u8>& scratch) {
  std::size_t to_sort = 0, to_sum = 0;
  CubPairs pairs{};
  check(sort(nullptr, to_sort, pairs, count, bits, nullptr), kSortPairs);
  check(sum_before(nullptr, to_sum, nullptr, count, nullptr, nullptr), kExclusiveScan);
  scratch.require(to_sort > to_sum ? to_sort : to_sum);
}

}  // namespace ballotcast::detail
