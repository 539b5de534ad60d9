// A cast on the device, from names to kernels: what cast.cu and cast_counting.cu share.
#pragma once

#include "backends/cuda/view.cuh"

namespace ballotcast::detail {

/// Casts rays on `machine`: a CudaMachine, or one around it.
template <class Machine>
CastCounts cast_through(Machine& machine, std::string_view layout, const DeviceSceneArrays& arrays,
                        const DeviceRays& rays, DeviceBuffer<uint4>& walks,
                        const CastOptions& options, const CastChecks& checks) {
  CastCounts counts;
  if (rays.count == 0) return counts;
  // The rule of --loop auto: at 64 K and 1 M rays a graph beat a host that reads every pass, and
  // lost to one that reads every 4th or 16th by no more than noise (tools/results); so it is taken
  // wherever the driver has WHILE nodes.
  const bool graphs = graphs_unusable().empty();
  CastPlan plan = plan_of(options, {graphs ? Loop::Who::graph : Loop::Who::host, 1});
  plan.on_queue = checks.on_queue;
  with_view(layout, arrays, [&](const auto& view) {
    using Layout = typename std::decay_t<decltype(view)>::LayoutType;
    using Walk = typename Layout::Walk;
    static_assert(sizeof(Walk) <= sizeof(uint4) && alignof(Walk) <= alignof(uint4));
    dispatch_cast(options, [&](auto pipeline, auto strategy) {
      using Pipeline = typename decltype(pipeline)::type;
      if (Pipeline::kRests) walks.require(rays.count);
      const RayBatch<Layout> batch{rays.rays,   rays.hits,  reinterpret_cast<Walk*>(walks.data()),
                                   rays.visits, rays.count, rays.kind};
      counts = Pipeline::template run<Layout, typename decltype(strategy)::type>(machine, view,
                                                                                 batch, plan);
    });
  });
  return counts;
}

}  // namespace ballotcast::detail
