// Registers the operator torch.ops.ballotcast.closest(view, rays), and its kernel for the CPU.
#include <ATen/Parallel.h>

#include "operator.hpp"

namespace {

Found closest_on_cpu(const at::Tensor& view, const at::Tensor& rays) {
  return closest(view, rays, [](const Cast& cast) {
    at::parallel_for(0, cast.count, 1024, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) cast.run(static_cast<std::uint32_t>(i));
    });
  });
}

}  // namespace

TORCH_LIBRARY(ballotcast, library) {
  library.def("closest(Tensor view, Tensor rays) -> (Tensor, Tensor)");
}
TORCH_LIBRARY_IMPL(ballotcast, CPU, library) { library.impl("closest", &closest_on_cpu); }
