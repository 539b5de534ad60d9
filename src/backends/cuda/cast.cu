// The casting kernels, compiled for every pipeline, strategy and layout.
#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"

namespace ballotcast {

CastCounts cast_on_device(CudaMachine& machine, std::string_view layout,
                          const DeviceSceneArrays& arrays, const DeviceRays& rays,
                          DeviceBuffer<uint4>& walks, const CastOptions& options) {
  CastCounts counts;
  if (rays.count == 0) return counts;
  dispatch_layout(layout, [&](auto layout_tag) {
    using Layout = typename decltype(layout_tag)::type;
    using Walk = typename Layout::Walk;
    static_assert(sizeof(Walk) <= sizeof(uint4) && alignof(Walk) <= alignof(uint4));
    walks.require(rays.count);
    const TraceView<Layout> view{
        reinterpret_cast<const typename Layout::Node*>(arrays.nodes.data()),
        arrays.triangles.data(), arrays.view};
    const RayBatch<Layout> batch{rays.rays,   rays.hits,  reinterpret_cast<Walk*>(walks.data()),
                                 rays.visits, rays.count, rays.kind};
    dispatch_cast(options, [&](auto pipeline, auto strategy) {
      counts = decltype(pipeline)::type::template run<Layout, typename decltype(strategy)::type>(
          machine, view, batch, options.block_size);
    });
  });
  return counts;
}

std::string missing_code() {
  using Probe = TraversePass<bvh2::Layout, BlockVote>;
  cudaFuncAttributes attributes;
  const cudaError_t code = cudaFuncGetAttributes(
      &attributes, run_kernel<Probe, TraceView<bvh2::Layout>, RayBatch<bvh2::Layout>, CounterView>);
  if (code == cudaSuccess) return "";
  cudaGetLastError();
  if (code == cudaErrorMemoryAllocation) return "its memory is full";
  return cudaGetErrorString(code);
}

}  // namespace ballotcast
