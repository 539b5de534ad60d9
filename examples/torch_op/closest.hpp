// What the operator's two files share. nvcc compiles the kernel without the headers of PyTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

/// The size of a device::SceneView.
std::size_t bytes_of_view();

/// Casts rays, of eight floats each (origin, t_min, direction, t_max), aligned to 16 bytes. `view`:
/// the bytes of a device::SceneView in host memory. A miss has triangle -1. Only enqueued.
void enqueue_closest(const void* view, const float* rays, float* t, std::int64_t* triangles,
                     unsigned count, cudaStream_t stream);
