// A prepared scene in host memory, in the form that kernels use.
#pragma once

#include "backends/dispatch.hpp"
#include "backends/prepare.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// The view of a prepared scene. `Layout` must be the layout of its tree; see dispatch_layout.
template <class Layout>
TraceView<Layout> host_view(const PreparedScene& scene) {
  return trace_view<TraceView<Layout>>(scene.arrays);
}

/// Calls visit(view) with the view of the scene, for rays into `worlds`. Its type depends on its
/// layout and on whether there are instances.
template <class Visit>
void with_host_view(const PreparedScene& scene, const RayWorlds& worlds, Visit visit) {
  dispatch_layout(scene.encoded.layout, [&](auto layout_tag) {
    with_view_in<typename decltype(layout_tag)::type>(scene.arrays, worlds, visit);
  });
}

}  // namespace ballotcast::detail
