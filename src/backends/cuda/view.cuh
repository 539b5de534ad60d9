// A scene's arrays on the device as kernels want them.
#pragma once

#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"

namespace ballotcast::detail {

/// Calls visit(TraceView<Layout>).
template <class Visit>
void with_view(std::string_view layout, const DeviceSceneArrays& arrays, Visit visit) {
  dispatch_layout(layout, [&](auto layout_tag) {
    using Layout = typename decltype(layout_tag)::type;
    visit(TraceView<Layout>{reinterpret_cast<const typename Layout::Node*>(arrays.nodes.data()),
                            arrays.shape, arrays.triangles.data(), arrays.view});
  });
}

}  // namespace ballotcast::detail
