#include "backends/cuda/view.cuh"
#include "kernels/crossings.hpp"

namespace ballotcast::detail {

void count_crossings_on_device(DeviceScene& scene, const Ray* rays, const RayWorlds& worlds,
                               u32* counts, u32 count) {
  with_view(scene.arrays->view, worlds, [&](const auto& view) {
    scene.machine.each<CountCrossings>("count crossings", count, view, rays, counts);
  });
}

void store_crossings_on_device(DeviceScene& scene, const Ray* rays, const RayWorlds& worlds,
                               const u64* starts, Hit* hits, u32 count) {
  with_view(scene.arrays->view, worlds, [&](const auto& view) {
    scene.machine.each<StoreCrossings>("store crossings", count, view, rays, starts, hits);
  });
}

}  // namespace ballotcast::detail
