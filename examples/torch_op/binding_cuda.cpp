// Registers the operator's kernel for rays on a GPU. The work runs on PyTorch's current stream.
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "operator.hpp"

namespace {

Found closest_on_gpu(const at::Tensor& view, const at::Tensor& rays) {
  const c10::cuda::CUDAGuard guard(rays.device());
  return closest(view, rays, [](const Cast& cast) {
    enqueue(cast, c10::cuda::getCurrentCUDAStream());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace

// The view is always in host memory, so PyTorch finds a CPU tensor beside a CUDA tensor, and
// chooses the kernel for CUDA.
TORCH_LIBRARY_IMPL(ballotcast, CUDA, library) { library.impl("closest", &closest_on_gpu); }
