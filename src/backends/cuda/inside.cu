#include "backends/cuda/view.cuh"
#include "kernels/winding_number.hpp"

namespace ballotcast::detail {

void contains_on_device(DeviceScene& scene, const PointArray& points, const RayWorlds& worlds,
                        InsideRule rule, u8* inside, u32 count) {
  with_view(scene.arrays->view, worlds, [&](const auto& view) {
    test_inside(scene.machine, view, points, rule, scene.arrays->view.triangle_count, inside,
                count);
  });
}

void winding_numbers_on_device(DeviceScene& scene, const PointArray& points,
                               const RayWorlds& worlds, double* numbers, u32 count) {
  with_view(scene.arrays->view, worlds, [&](const auto& view) {
    scene.machine.each<FindWindingNumber>("winding numbers", count, view, points,
                                          scene.arrays->view.triangle_count, numbers);
  });
}

}  // namespace ballotcast::detail
