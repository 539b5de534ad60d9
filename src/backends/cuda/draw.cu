// The kernels of camera rays, shading and film.
#include "backends/cuda/device_scene.cuh"
#include "kernels/frame/frame_drawer.hpp"

namespace ballotcast::detail {

DrawnFrame draw_frame_on_device(DeviceScene& scene, const FrameSettings& settings,
                                const CastChoice& choice, u32 at_once, const Progress& progress,
                                const std::vector<RawFilm>* films) {
  DrawnFrame frame;
  draw_frame(
      scene.machine, scene.arrays->view.scene, settings, at_once,
      [&](RayKind kind, const Ray* rays, Hit* hits, u32* visits, u32 count) {
        Query query = cast_query(kind, rays, hits, count, choice, {}, visits);
        query.filter = settings.filter;
        return cast_on_device(scene, query);
      },
      progress, films, frame);
  return frame;
}

}  // namespace ballotcast::detail
