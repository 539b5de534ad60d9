#include "backends/cuda/view.cuh"
#include "kernels/closest_point.hpp"

namespace ballotcast::detail {

void closest_points_on_device(DeviceScene& scene, const Vec3f* points, const RayWorlds& worlds,
                              float max_distance, Nearest* nearest, u32 count) {
  with_view(scene.arrays->view, worlds, [&](const auto& view) {
    scene.machine.each<FindClosestPoint>("closest points", count, view, points, max_distance,
                                         nearest);
  });
}

}  // namespace ballotcast::detail
