// The library's front: a scene, a device, rays and pictures. The program uses nothing else.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/memory_plan.hpp"
#include "kernels/shadings/shading.hpp"
#include "scene/scene.hpp"
#include "support/threads.hpp"

namespace ballotcast::detail {

/// Where and over which tree rays are cast. None of it changes a hit or a pixel.
struct RendererOptions {
  std::string_view device = "auto";            // a row of `backends()`, or auto
  std::string_view builder = kDefaultBuilder;  // a row of `builders()`, by name or effort
  std::string_view layout = "auto";            // a row of `layouts()`, or auto
  BuildProgress progress = {};                 // told how far the tree is
  /// Bytes of the device that scene and work may take together; where more is free, the rest stays
  /// free. None: all that is free on a GPU, and no limit elsewhere. With less, fewer rays are under
  /// way at once, which changes no hit and no pixel. The operating system's and the driver's own
  /// needs, and results in the host's memory, are not counted.
  std::optional<u64> max_memory = {};
};

/// What a picture is to be.
struct RenderSettings {
  u32 width = 1920;
  u32 height = 1080;
  std::optional<Camera> camera;   // else the scene's, else one that frames it
  std::string_view shading = "";  // a row of Shadings; "": the scene's wish, else lit
  u32 samples = 0;                // a pixel; 0: what the shading likes
  u32 bounces = 2;                // of light, in `lit`
  std::optional<float> exposure;  // of `lit`; else the scene's, else see `choose_exposure`
  bool smooth = true;             // smooth noisy light in `lit` (in pictures of up to 2^25 pixels)
  bool keep_hits = false;         // return the camera rays' hits too
  CastOptions cast;
};

/// How long getting ready took.
struct PrepareTimes {
  double build_ms = 0.0;   // tree and tables, host
  double upload_ms = 0.0;  // to the device
};

/// All that rays cross.
struct AllHits {
  std::vector<u64> starts;  // one more than rays; the last is the number of hits
  std::vector<Hit> hits;

  /// Those of one ray, by t and then by id.
  std::span<const Hit> of(std::size_t ray) const {
    return {hits.data() + starts[ray], hits.data() + starts[ray + 1]};
  }
};

/// A scene on a device. Moves only. Calls on one renderer must not overlap; different renderers may
/// work at the same time, over the same scene too.
class Renderer {
 public:
  /// Builds the tree and copies the scene to the device. Throws UsageError for names that don't
  /// exist, InputError for an unusable mesh, DeviceError when the device can't be used. A scene
  /// that exceeds the memory there is by itself is not copied: the first call that needs it throws
  /// OutOfDeviceMemory, and so does any call that doesn't fit in the smallest batches, with a table
  /// of what it takes.
  explicit Renderer(std::shared_ptr<const SceneData> scene, const RendererOptions& options = {});

  /// Finds the closest hit of each of rays[n]: hits[i] is ray i's. A hit is the triangle with the
  /// smallest t in (t_min, t_max], the smallest id among equal t; its bits are the same on every
  /// device and for every option. Places are relative to SceneData::origin. Throws UsageError
  /// unless hits has as many elements as rays.
  CastCounts closest(std::span<const Ray> rays, std::span<Hit> hits,
                     const CastOptions& options = {});

  /// Finds out whether each of rays[n] hits anything: hits[i].found(). Which hit it is depends on
  /// the tree, but not on device or options.
  CastCounts any(std::span<const Ray> rays, std::span<Hit> hits, const CastOptions& options = {});

  /// Counts how often each of rays[n] crosses a surface with t in (t_min, t_max]: counts[i] is ray
  /// i's. Every crossing has one owner among the triangles that meet there, so a ray through an
  /// edge or a corner of a closed mesh counts once in and once out, and an odd count tells that its
  /// origin lies inside. Triangles that stand in the same place count each. Throws UsageError
  /// unless counts has as many elements as rays. See geometry/crossing.hpp.
  void count(std::span<const Ray> rays, std::span<u32> counts);

  /// Finds every crossing that `count` counts. A crossing has the bits that a closest hit of that
  /// triangle would have.
  AllHits all(std::span<const Ray> rays);

  /// Draws a picture. Throws UsageError for settings that make no sense.
  Frame render(const RenderSettings& settings = {}, const ProgressReport& report = {});

  /// The camera for a picture of that size: the stated one, else the scene's, else one that frames
  /// the scene.
  Camera camera_for(const std::optional<Camera>& stated, u32 width, u32 height) const;

  const SceneData& scene() const { return *prepared_->scene; }
  const PreparedScene& prepared() const { return *prepared_; }
  const BackendInfo& backend() const { return *choice_.backend; }
  /// For device auto without a GPU: why not. Else "".
  const std::string& note() const { return choice_.note; }
  const PrepareTimes& prepare_times() const { return times_; }
  /// What the last call took on the device.
  const MemoryPlan& memory() const { return plan_; }
  /// What it may take.
  const MemoryBudget& memory_budget() const { return budget_; }

 private:
  Frame draw_preview(FrameSettings frame, const Camera& camera, const CastOptions& options);
  Frame draw(const FrameSettings& frame, const CastOptions& options, const ProgressReport& report);
  void upload();
  void work_within_memory(const MemoryOfWork& memory_of_work, const std::function<void()>& work);
  CastCounts cast(RayKind kind, std::span<const Ray> rays, std::span<Hit> hits,
                  const CastOptions& options);

  BackendChoice choice_;
  std::shared_ptr<const PreparedScene> prepared_;
  MemoryTable scene_memory_;
  MemoryBudget budget_;
  MemoryPlan plan_;
  std::unique_ptr<ResidentScene> resident_;  // null where the scene doesn't fit
  PrepareTimes times_;
};

/// What drawing `scene` so asks of a device, without camera and exposure. Throws UsageError for
/// settings that make no sense.
FrameSettings frame_of(const SceneData& scene, const RenderSettings& settings);

/// The exposure that makes the brighter three quarters' end of what `frame` hit (its film and hits
/// kept) a light grey: bright rooms and dark ones both come out well. 1 where nothing was hit or
/// nothing is lit.
float choose_exposure(const Frame& frame);

/// The row of `shading`; throws UsageError, listing the rows, when there is none.
ShadingInfo shading_called(std::string_view shading);

/// Every shading there is; the first is the default.
std::vector<ShadingInfo> shadings();

/// Every pipeline there is.
std::vector<PipelineInfo> pipelines();

/// Every atomic strategy there is; the first is the default.
std::vector<StrategyInfo> strategies();

}  // namespace ballotcast::detail
