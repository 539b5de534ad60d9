// The internals of a Renderer, and how its settings are resolved.
#pragma once

#include <functional>

#include "backends/memory_plan.hpp"
#include "ballotcast/renderer.hpp"

namespace ballotcast::detail {

/// The members of a Renderer.
class RendererState {
 public:
  RendererState(Scene scene, const RendererOptions& options);

  /// Runs `work` with as many rays at a time as fit into memory. If the device turns out to have
  /// less memory than planned, tries again with fewer rays.
  void work_within_memory(const MemoryOfWork& memory_of_work, const std::function<void()>& work);

  const SceneData& data() const { return *scene.data(); }

  const Scene scene;
  const BackendChoice backend;
  std::shared_ptr<const PreparedScene> prepared;
  MemoryTable scene_memory;
  MemoryBudget budget;                      // the memory that calls may take
  MemoryPlan plan;                          // the memory that the last call took
  std::unique_ptr<ResidentScene> resident;  // null if the scene does not fit
  PrepareTimes times;

 private:
  void upload();
};

/// The tree and the tables of a renderer's scene, for code that looks inside.
inline const PreparedScene& prepared_of(const Renderer& renderer) {
  return *renderer.state().prepared;
}

/// `settings` with everything filled in that needs no tree: shading, samples, smooth, and the rows
/// behind every auto. Throws UsageError for invalid settings.
RenderSettings resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                       const BackendInfo& backend);

/// The settings of a frame, from resolved settings; without camera and exposure.
FrameSettings frame_of(const RenderSettings& resolved);

/// The camera that `stated` and the scene give; parts that neither states are chosen to frame the
/// scene.
Camera camera_for(const PreparedScene& scene, const CameraSettings& stated, u32 width, u32 height);

/// The range of `choose_exposure`.
inline constexpr float kLeastChosenExposure = 1e-4f, kMostChosenExposure = 1e4f;

/// The exposure that maps the brightness at the upper quartile of the hit pixels to a light grey,
/// so that bright and dark rooms both look good. `frame` must have kept its film and hits. 1 if
/// nothing was hit or nothing is lit.
float choose_exposure(const DrawnFrame& frame);

/// The row of `shading`. Throws UsageError, which lists the rows, if there is none.
const ShadingInfo& shading_called(std::string_view shading);

/// All shadings; the first is the default.
std::vector<ShadingInfo> shadings();

}  // namespace ballotcast::detail
