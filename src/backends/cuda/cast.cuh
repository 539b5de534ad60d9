// Casts rays on the device: selects the kernels for the table rows of a choice. Used by cast.cu and
// cast_counting.cu.
#pragma once

#include "backends/cuda/device_scene.cuh"
#include "backends/device/backend.hpp"
#include "backends/device/dispatch_cast.hpp"

namespace ballotcast::detail {

/// Casts rays on `machine`, which is the machine of `scene` or a CountingMachine around it.
template <Kernels kKernels, class Machine>
CastCounts cast_through(Machine& machine, DeviceScene& scene, const Query& cast,
                        const CastChecks& checks) {
  CastCounts counts;
  if (cast.count == 0) return counts;
  const CastChoice& choice = *cast.choice;
  const u32 count = static_cast<u32>(cast.count);
  CastPlan plan = choice.plan();
  plan.on_queue = checks.on_queue;
  with_still_view<kKernels>(scene, cast, [&](const auto& view) {
    using Layout = typename std::decay_t<decltype(view)>::LayoutType;
    using Walk = typename Layout::Walk;
    static_assert(sizeof(Walk) <= kWalkBytes && sizeof(uint4) == kWalkBytes &&
                  alignof(Walk) <= alignof(uint4));
    dispatch_cast(choice, [&](auto pipeline, auto strategy) {
      using Pipeline = typename decltype(pipeline)::type;
      if (Pipeline::info.rests) scene.walks.require(count);
      const RayBatch<Layout> batch{cast.items_as<Ray>(),
                                   cast.results_as<Hit>(),
                                   reinterpret_cast<Walk*>(scene.walks.data()),
                                   cast.visits,
                                   count,
                                   kind_of(cast)};
      counts = Pipeline::template run<Layout, typename decltype(strategy)::type>(machine, view,
                                                                                 batch, plan);
    });
  });
  return counts;
}

}  // namespace ballotcast::detail
