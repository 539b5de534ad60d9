// The kernels of camera, shading and film.
#include "backends/cuda/resident.cuh"
#include "backends/dispatch.hpp"
#include "kernels/frame.hpp"

namespace ballotcast::detail {

Frame draw_frame_on_device(CudaMachine& machine, const DeviceSceneArrays& arrays,
                           const FrameSettings& settings, u32 at_once, const DeviceCast& cast,
                           const ProgressReport& report) {
  Frame frame;
  dispatch_shading(settings.shading, [&](auto tag) {
    using Shading = typename decltype(tag)::type;
    draw_frame<Shading>(
        machine, arrays.view, settings, at_once,
        [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
          return cast({kind, rays, hits, visits, count});
        },
        report, frame);
  });
  return frame;
}

}  // namespace ballotcast::detail
