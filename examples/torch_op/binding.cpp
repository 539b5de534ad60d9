// Registers the kernel as an operator of PyTorch: torch.ops.ballotcast.closest(view, rays).
#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "closest.hpp"

namespace {

std::tuple<at::Tensor, at::Tensor> closest(const at::Tensor& view, const at::Tensor& rays) {
  TORCH_CHECK(view.is_cpu() && view.is_contiguous() && view.nbytes() == bytes_of_view(),
              "view: expected the bytes of Scene.device_view(), in host memory");
  TORCH_CHECK(rays.is_cuda() && rays.scalar_type() == at::kFloat && rays.dim() == 2 &&
                  rays.size(1) == 8 && rays.is_contiguous(),
              "rays: expected floats of shape (n, 8) on the GPU, contiguous");
  TORCH_CHECK(reinterpret_cast<std::uintptr_t>(rays.data_ptr()) % 16 == 0,
              "rays: expected memory aligned to 16 bytes; clone() has it");
  TORCH_CHECK(rays.size(0) < 0x80000000LL, "rays: fewer than 2^31");
  const c10::cuda::CUDAGuard guard(rays.device());
  at::Tensor t = at::empty({rays.size(0)}, rays.options());
  at::Tensor triangles = at::empty({rays.size(0)}, rays.options().dtype(at::kLong));
  enqueue_closest(view.data_ptr(), rays.data_ptr<float>(), t.data_ptr<float>(),
                  triangles.data_ptr<std::int64_t>(), static_cast<unsigned>(rays.size(0)),
                  c10::cuda::getCurrentCUDAStream());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return {t, triangles};
}

}  // namespace

TORCH_LIBRARY(ballotcast, library) {
  library.def("closest(Tensor view, Tensor rays) -> (Tensor, Tensor)");
}
TORCH_LIBRARY_IMPL(ballotcast, CUDA, library) { library.impl("closest", &closest); }
