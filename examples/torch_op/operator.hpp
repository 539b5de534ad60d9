// What the operator does with its tensors, wherever they are.
#pragma once

#include <ATen/ATen.h>
#include <torch/library.h>

#include <cstring>
#include <tuple>

#include "closest.hpp"

/// The results of the operator: t (n) and triangles (n), on the device of the rays.
using Found = std::tuple<at::Tensor, at::Tensor>;

/// Checks the arguments, allocates the results, and calls run(cast), which must fill them.
template <class Run>
Found closest(const at::Tensor& view, const at::Tensor& rays, Run run) {
  Cast cast{};
  TORCH_CHECK(view.is_cpu() && view.is_contiguous() && view.nbytes() == sizeof cast.scene,
              "view: expected the bytes of Scene.device_view() or host_view(), in host memory");
  TORCH_CHECK(rays.scalar_type() == at::kFloat && rays.dim() == 2 && rays.size(1) == 8 &&
                  rays.is_contiguous(),
              "rays: expected floats of shape (n, 8), contiguous");
  TORCH_CHECK(reinterpret_cast<std::uintptr_t>(rays.data_ptr()) % 16 == 0,
              "rays: expected memory aligned to 16 bytes; clone() has it");
  TORCH_CHECK(rays.size(0) < 0x80000000LL, "rays: fewer than 2^31");
  const at::Tensor t = at::empty({rays.size(0)}, rays.options());
  const at::Tensor triangles = at::empty({rays.size(0)}, rays.options().dtype(at::kLong));
  std::memcpy(&cast.scene, view.data_ptr(), sizeof cast.scene);
  cast.rays = static_cast<const ballotcast::Ray*>(rays.data_ptr());
  cast.t = t.data_ptr<float>();
  cast.triangles = triangles.data_ptr<std::int64_t>();
  cast.count = static_cast<std::uint32_t>(rays.size(0));
  run(cast);
  return {t, triangles};
}
