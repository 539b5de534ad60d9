#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"
#include "kernels/closest_point.hpp"

namespace ballotcast::detail {

void closest_points_on_device(DeviceScene& scene, const Vec3f* points, float max_distance,
                              Nearest* nearest, u32 count) {
  dispatch_layout(scene.arrays->view.layout, [&](auto layout_tag) {
    using Layout = typename decltype(layout_tag)::type;
    scene.machine.each<FindClosestPoint>("closest points", count,
                                         trace_view<TraceView<Layout>>(scene.arrays->view), points,
                                         max_distance, nearest);
  });
}

}  // namespace ballotcast::detail
