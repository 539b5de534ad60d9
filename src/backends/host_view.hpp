// A prepared scene in host memory, in the form that kernels use.
#pragma once

#include "backends/prepare.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// The view of a prepared scene. `Layout` must be the layout of its tree; see dispatch_layout.
template <class Layout>
TraceView<Layout> host_view(const PreparedScene& scene) {
  return trace_view<TraceView<Layout>>(scene.arrays);
}

}  // namespace ballotcast::detail
