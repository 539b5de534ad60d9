// A scene's arrays on the device, in the form that kernels use.
#pragma once

#include "backends/cuda/resident.cuh"
#include "bvh/layouts/table.hpp"

namespace ballotcast::detail {

/// Calls visit(view) with the view of a scene whose vertices stay, for rays into `worlds`. Its type
/// depends on the layout and on whether there are instances.
template <class Visit>
void with_still_view(const DeviceScene& scene, const RayWorlds& worlds, Visit visit) {
  const SceneArrays& arrays = scene.arrays->view;
  dispatch_row(Layouts{}, arrays.layout, [&](auto layout_tag) {
    with_view_in<typename decltype(layout_tag)::type>(arrays, worlds, visit);
  });
}

/// The same for a scene whose vertices move; it has no instances.
template <class Visit>
void with_moving_view(const DeviceScene& scene, Visit visit) {
  const SceneArrays& arrays = scene.arrays->view;
  dispatch_row(Layouts{}, arrays.layout, [&](auto layout_tag) {
    using Layout = typename decltype(layout_tag)::type;
    visit(MovingTraceView<Layout>{trace_view<TraceView<Layout>>(arrays), scene.moving});
  });
}

/// The same for any scene.
template <class Visit>
void with_view(const DeviceScene& scene, const RayWorlds& worlds, Visit visit) {
  if (scene.moving)
    with_moving_view(scene, visit);
  else
    with_still_view(scene, worlds, visit);
}

}  // namespace ballotcast::detail
