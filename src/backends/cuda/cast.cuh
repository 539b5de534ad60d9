// Casts rays on the device: selects the kernels for the table rows of a choice. Used by cast.cu and
// cast_counting.cu.
#pragma once

#include "backends/cuda/cuda_backend.hpp"
#include "backends/cuda/view.cuh"
#include "backends/dispatch_cast.hpp"

namespace ballotcast::detail {

/// Casts rays on `machine`, which is the machine of `scene` or a CountingMachine around it.
template <class Machine>
CastCounts cast_through(Machine& machine, DeviceScene& scene, const DeviceRays& rays,
                        const CastChoice& choice, const CastChecks& checks) {
  CastCounts counts;
  if (rays.count == 0) return counts;
  CastPlan plan = choice.plan();
  plan.on_queue = checks.on_queue;
  with_view(scene.arrays->view, rays.worlds, [&](const auto& view) {
    using Layout = typename std::decay_t<decltype(view)>::LayoutType;
    using Walk = typename Layout::Walk;
    static_assert(sizeof(Walk) <= kWalkBytes && sizeof(uint4) == kWalkBytes &&
                  alignof(Walk) <= alignof(uint4));
    dispatch_cast(choice, [&](auto pipeline, auto strategy) {
      using Pipeline = typename decltype(pipeline)::type;
      if (Pipeline::info.rests) scene.walks.require(rays.count);
      const RayBatch<Layout> batch{
          rays.rays,   rays.hits,  reinterpret_cast<Walk*>(scene.walks.data()),
          rays.visits, rays.count, rays.kind};
      counts = Pipeline::template run<Layout, typename decltype(strategy)::type>(machine, view,
                                                                                 batch, plan);
    });
  });
  return counts;
}

}  // namespace ballotcast::detail
