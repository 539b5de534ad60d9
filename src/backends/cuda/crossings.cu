#include "backends/cuda/view.cuh"
#include "kernels/crossings.hpp"

namespace ballotcast::detail {

void count_crossings_on_device(CudaMachine& machine, std::string_view layout,
                               const DeviceSceneArrays& arrays, const Ray* rays, u32* counts,
                               u32 count) {
  with_view(layout, arrays, [&](const auto& view) {
    machine.each<CountCrossings>("count crossings", count, view, rays, counts);
  });
}

void store_crossings_on_device(CudaMachine& machine, std::string_view layout,
                               const DeviceSceneArrays& arrays, const Ray* rays, const u64* starts,
                               Hit* hits, u32 count) {
  with_view(layout, arrays, [&](const auto& view) {
    machine.each<StoreCrossings>("store crossings", count, view, rays, starts, hits);
  });
}

}  // namespace ballotcast::detail
