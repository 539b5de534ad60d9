// A scene's arrays on the device, in the form that kernels use.
#pragma once

#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"

namespace ballotcast::detail {

/// Calls visit(view) with the view of `arrays`, for rays into `worlds`. Its type depends on their
/// layout and on whether there are instances.
template <class Visit>
void with_view(const SceneArrays& arrays, const RayWorlds& worlds, Visit visit) {
  dispatch_layout(arrays.layout, [&](auto layout_tag) {
    with_view_in<typename decltype(layout_tag)::type>(arrays, worlds, visit);
  });
}

}  // namespace ballotcast::detail
