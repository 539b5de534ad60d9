// Sorts and prefix sums of CUB, in a separate file because they take long to compile.
#pragma once

#include "backends/cuda/runtime.hpp"
#include "bvh/ploc/cluster.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Enqueues the sum of values[0 .. count) on `stream`; the result is stored in sum[0]. `scratch`
/// grows to the size that CUB needs.
void cub_sum(const u32* values, u32 count, u32* sum, DeviceBuffer<u8>& scratch,
             cudaStream_t stream);

/// Enqueues a prefix sum: starts[i] becomes the sum of the counts before i, for i from 0 to
/// `count`.
void cub_starts(const u32* counts, u32 count, u64* starts, DeviceBuffer<u8>& scratch,
                cudaStream_t stream);

/// Keys and their values in device memory, with spare arrays of the same size.
struct CubPairs {
  u64 *keys, *spare_keys;
  u32 *values, *spare_values;
};

/// Enqueues a stable sort by the lowest `bits` bits of the keys. The result is in the arrays of
/// `pairs`, which may have been swapped with the spare arrays. `scratch` grows to the size that CUB
/// needs.
void cub_sort(CubPairs& pairs, u32 count, u32 bits, DeviceBuffer<u8>& scratch, cudaStream_t stream);

/// Keys in device memory, with a spare array of the same size.
struct CubKeys {
  u64 *keys, *spare_keys;
};

/// The bytes of scratch memory with which cub_sort_keys can sort up to `count` keys.
std::size_t cub_scratch_for_keys(u32 count, u32 first_bit, u32 end_bit);

/// Enqueues a sort of `count` keys by their bits from `first_bit` to `end_bit` - 1. The result is
/// in keys.keys, which may have been swapped with the spare array. `scratch` must be large enough.
void cub_sort_keys(CubKeys& keys, u32 count, u32 first_bit, u32 end_bit,
                   const DeviceBuffer<u8>& scratch, cudaStream_t stream);

/// Enqueues a stable sort of pairs by the lowest `bits` bits of the keys. `scratch` grows to the
/// size that CUB needs.
void cub_sort_bins(const u8* keys, u8* sorted_keys, const u32* values, u32* sorted_values,
                   u32 count, u32 bits, DeviceBuffer<u8>& scratch, cudaStream_t stream);

/// Enqueues the prefix sum that numbers the nodes of a tree: before[i] becomes the sum over all
/// slots before slot i (ploc::Before). `scratch` grows to the size that CUB needs.
void cub_sum_before(const u8* slots, u32 count, ploc::Before* before, DeviceBuffer<u8>& scratch,
                    cudaStream_t stream);

/// Makes `scratch` large enough for cub_sort and cub_sum_before.
void cub_reserve(u32 count, u32 bits, DeviceBuffer<u8>& scratch);

}  // namespace ballotcast::detail
