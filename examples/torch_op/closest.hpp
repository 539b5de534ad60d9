// The interface between the operator's two source files: closest.cu, which nvcc compiles without
// the headers of PyTorch, and binding.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

/// The size of a device::SceneView in bytes.
std::size_t bytes_of_view();

/// Casts rays, of eight floats each (origin, t_min, direction, t_max), aligned to 16 bytes. `view`:
/// the bytes of a device::SceneView in host memory. Writes t and the triangle of each hit, -1 for a
/// miss. The work is only enqueued on `stream`.
void enqueue_closest(const void* view, const float* rays, float* t, std::int64_t* triangles,
                     unsigned count, cudaStream_t stream);
