// A prepared scene in host memory as kernels want it.
#pragma once

#include "backends/prepare.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// `Layout` is the layout that the scene's tree is encoded in: see dispatch_layout.
template <class Layout>
TraceView<Layout> host_view(const PreparedScene& scene) {
  return trace_view<TraceView<Layout>>(scene.arrays);
}

}  // namespace ballotcast::detail
