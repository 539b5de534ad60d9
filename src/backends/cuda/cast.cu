// The casting kernels, compiled for every pipeline, strategy and layout.
#include "backends/cuda/cast.cuh"

namespace ballotcast::detail {

CastCounts cast_on_device(DeviceScene& scene, const Query& cast, const CastChecks& checks) {
  return cast_through<Kernels::fast>(scene.machine, scene, cast, checks);
}

std::string missing_code() {
  using View = TraceView<bvh2::Layout>;
  using Probe = TraversePass<View, BlockVote>;
  cudaFuncAttributes attributes;
  const cudaError_t code = cudaFuncGetAttributes(
      &attributes, run_kernel<Probe, View, RayBatch<bvh2::Layout>, CounterView>);
  if (code == cudaSuccess) return "";
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) return "its memory is full";
  return explained(code);
}

}  // namespace ballotcast::detail
