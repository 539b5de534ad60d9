// The CUDA machine with the operations that building trees needs.
#pragma once

#include <utility>

#include "backends/cuda/cub.cuh"
#include "backends/cuda/machine.cuh"
#include "bvh/ploc/keys.hpp"
#include "kernels/build/steps.hpp"

namespace ballotcast::detail {

/// A Machine for kernels/build. It uses CUB for sorting and prefix sums.
class CudaBuildMachine : public WithBuildSteps<CudaMachine> {
 public:
  template <class T>
  void zero(DeviceBuffer<T>& buffer) {
    fill(buffer.data(), 0, buffer.size() * sizeof(T));
  }
  void ones(u32* words, u32 count) { fill(words, 0xff, count * sizeof(u32)); }

  void sort_by_key(DeviceBuffer<u64>& keys, DeviceBuffer<u32>& values, u32 count, u32 bits) {
    spare_keys_.require(keys.size());
    spare_values_.require(values.size());
    CubPairs pairs{keys.data(), spare_keys_.data(), values.data(), spare_values_.data()};
    cub_sort(pairs, count, bits, scratch_, stream());
    if (pairs.keys != keys.data()) std::swap(keys, spare_keys_);
    if (pairs.values != values.data()) std::swap(values, spare_values_);
  }
  void sort_by_key(u64* keys, u32* values, u64* spare_keys, u32* spare_values, u32 count,
                   u32 bits) {
    CubPairs pairs{keys, spare_keys, values, spare_values};
    cub_sort(pairs, count, bits, scratch_, stream());
    move(keys, pairs.keys, count);
    move(values, pairs.values, count);
  }

  void sum_before(const DeviceBuffer<u8>& slots, u32 count, DeviceBuffer<ploc::Before>& before) {
    sum_before(slots.data(), count, before.data());
  }
  void sum_before(const u8* slots, u32 count, ploc::Before* before) {
    cub_sum_before(slots, count, before, scratch_, stream());
  }

  /// Allocates the scratch memory for joining `count` elements, so that joining allocates nothing.
  void reserve_to_join(u32 count, u32 key_bits = ploc::kKeyBits) {
    cub_reserve(count, key_bits, scratch_);
  }

 private:
  void fill(void* to, int byte, std::size_t bytes) {
    if (bytes > 0) check(cudaMemsetAsync(to, byte, bytes, stream()), "cudaMemsetAsync");
  }

  template <class T>
  void move(T* to, const T* from, u32 count) {
    if (to == from) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream()),
          "move what was sorted");
  }

  DeviceBuffer<u64> spare_keys_;
  DeviceBuffer<u32> spare_values_;
  DeviceBuffer<u8> scratch_;
};

}  // namespace ballotcast::detail
