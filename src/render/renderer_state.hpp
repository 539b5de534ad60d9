// What a Renderer holds, and how settings become what is drawn.
#pragma once

#include <functional>

#include "backends/memory_plan.hpp"
#include "ballotcast/renderer.hpp"

namespace ballotcast::detail {

/// What a Renderer holds.
class RendererState {
 public:
  RendererState(Scene scene, const RendererOptions& options);

  /// Does `work` with as many rays under way as fit. Where the device turns out to have less memory
  /// than was planned with, tries again with fewer.
  void work_within_memory(const MemoryOfWork& memory_of_work, const std::function<void()>& work);

  const SceneData& data() const { return *scene.data(); }

  const Scene scene;
  const BackendChoice backend;
  std::shared_ptr<const PreparedScene> prepared;
  MemoryTable scene_memory;
  MemoryBudget budget;                      // what may be taken
  MemoryPlan plan;                          // what the last call took
  std::unique_ptr<ResidentScene> resident;  // null where the scene doesn't fit
  PrepareTimes times;

 private:
  void upload();
};

/// The tree and the tables of a renderer's scene, for those who look inside.
inline const PreparedScene& prepared_of(const Renderer& renderer) {
  return *renderer.state().prepared;
}

/// `settings` with everything filled in that does not need a tree: shading, samples, smooth, and
/// the rows behind every auto. Throws UsageError for settings that make no sense.
RenderSettings resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                       const BackendInfo& backend);

/// What drawing asks of a device, of settings that are resolved; without camera and exposure.
FrameSettings frame_of(const RenderSettings& resolved);

/// The camera that `stated`, the scene, and where both leave out a part, framing come to.
Camera camera_for(const PreparedScene& scene, const CameraSettings& stated, u32 width, u32 height);

/// The exposure that maps the brightness at the upper quartile of the hit pixels to a light grey,
/// so that bright and dark rooms both look good. `frame` must have kept its film and hits. 1 if
/// nothing was hit or nothing is lit.
float choose_exposure(const DrawnFrame& frame);

/// The row of `shading`. Throws UsageError, which lists the rows, if there is none.
const ShadingInfo& shading_called(std::string_view shading);

/// All shadings; the first is the default.
std::vector<ShadingInfo> shadings();

}  // namespace ballotcast::detail
