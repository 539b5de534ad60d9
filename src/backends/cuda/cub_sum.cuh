// CUB's sum, in a file of its own because it takes long to compile.
#pragma once

#include "backends/cuda/buffer.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// Enqueues the sum of values[count] on `stream`; the result goes to sum[0]. `scratch` grows to the
/// size that CUB needs.
void cub_sum(const u32* values, u32 count, u32* sum, DeviceBuffer<u8>& scratch,
             cudaStream_t stream);

}  // namespace ballotcast::detail
