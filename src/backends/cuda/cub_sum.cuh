// CUB's sums, in a file of their own because they take long to compile.
#pragma once

#include "backends/cuda/buffer.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Enqueues the sum of values[count] on `stream`; the result goes to sum[0]. `scratch` grows to the
/// size that CUB needs.
void cub_sum(const u32* values, u32 count, u32* sum, DeviceBuffer<u8>& scratch,
             cudaStream_t stream);

/// Enqueues starts[0..count], where starts[i] is the sum of the counts before i.
void cub_starts(const u32* counts, u32 count, u64* starts, DeviceBuffer<u8>& scratch,
                cudaStream_t stream);

}  // namespace ballotcast::detail
