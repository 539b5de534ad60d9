// The internals of a Renderer, and how its settings are resolved.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "backends/memory_plan.hpp"
#include "backends/moving_scene.hpp"
#include "backends/parts/cut.hpp"
#include "ballotcast/renderer.hpp"

namespace ballotcast::detail {

/// The members of a Renderer.
class RendererState {
 public:
  RendererState(Scene scene, const RendererOptions& options);

  /// Answers a query whose arrays are in host memory. Throws UsageError unless its worlds exist.
  CastCounts answer(const Query& query);

  /// Runs `work` with as many rays at a time as fit into memory. If the device turns out to have
  /// less memory than planned, tries again with fewer rays. Throws OutOfDeviceMemory if even the
  /// smallest number does not fit.
  void work_within_memory(const MemoryOfWork& memory_of_work, const std::function<void()>& work);

  /// The memory of a device that drawing a picture takes besides the scene.
  MemoryOfWork memory_of_picture(const FrameSettings& frame, const CastChoice& choice) const;

  /// The scene as it is now.
  const SceneData& data() const { return *prepared->scene; }

  /// The part of the scene that moves. Throws UsageError if none does.
  MovingScene& moving() const;
  /// See Renderer::follow.
  void follow(Follow how);
  /// Makes the scene that of another frame. `how`: how the tree follows if vertices move.
  void become(SceneChange change, Follow how = Follow::automatic);
  /// The part of `losses` that is new since the last call.
  std::string take_new_losses();

  const Scene scene;
  const DeviceChoice backend;
  std::unique_ptr<MovingScene> motion;  // null unless vertices may move
  std::shared_ptr<const PreparedScene> prepared;
  std::vector<ScenePart> parts;             // of a scene that was cut into parts; else empty
  std::string note;                         // about the device and the parts, or ""
  MemoryTable scene_memory;                 // of the device: of the machine that takes the most
  MemoryBudget budget;                      // the memory that calls may take
  MemoryPlan plan;                          // the memory and the batch size of the last call
  std::unique_ptr<ResidentScene> resident;  // null until the scene is uploaded
  PrepareTimes times;
  std::string losses;           // which machines have failed, one per line
  bool leader_has_all = false;  // see FrameSettings
  bool must_follow = false;     // vertices or transforms were set, and the tree has not followed

 private:
  std::size_t told_losses_ = 0;  // how much of `losses` take_new_losses has given

  void upload();
  /// Cuts the scene into parts, if that is asked for: see RendererOptions::partition.
  void cut(const RendererOptions& options);
  /// The device takes over the changed scene.
  void take_over(Moved moved);

  std::function<void(const std::string&)> on_loss_;  // see make_several_scene
};

/// Follow::automatic rebuilds a tree that has worn out more than this.
inline constexpr double kWornOut = 1.3;

/// The tree and the tables of a renderer's scene, for code that looks inside.
inline const PreparedScene& prepared_of(const Renderer& renderer) {
  return *renderer.state().prepared;
}

/// Resolved settings of a picture, in two forms: `settings` for the caller, and `frame` and
/// `choice` for machines, with table rows in place of names.
struct ResolvedPicture {
  RenderSettings settings;
  FrameSettings frame;
  CastChoice choice;
};

/// Fills in defaults: shading, samples, the scene's exposure, and the choice behind every auto.
/// Turns `smooth` off for pictures that are too large for it. The camera is left as it is, because
/// choosing one needs the tree; see set_camera. Throws UsageError for invalid settings.
ResolvedPicture resolved_without_camera(const SceneData& scene, const RenderSettings& settings,
                                        const BackendInfo& backend);

/// Fills in the camera: camera_for of the settings. Throws the same errors as camera_for and
/// make_view.
void set_camera(ResolvedPicture& picture, const PreparedScene& scene);

/// Fills in the range of distances, in shadings that need it. The camera must be set.
void set_range(ResolvedPicture& picture, const PreparedScene& scene);

/// Fills in the white balance, in shadings whose radiance is light.
void set_white_balance(ResolvedPicture& picture, const PreparedScene& scene);

/// The camera of the scene; if it has none, a camera that frames the scene. Parts that `stated`
/// states replace those of this camera. Throws UsageError for an invalid field of view, and
/// InputError if no camera can frame the scene.
Camera camera_for(const PreparedScene& scene, const CameraSettings& stated, u32 width, u32 height);

/// The stage of a frame in which a small version is drawn, for choosing the exposure.
inline constexpr const char* kPreviewStage = "preview";

/// The range of `choose_exposure`.
inline constexpr float kLeastChosenExposure = 1e-4f, kMostChosenExposure = 1e4f;

/// An exposure, and Frame::unlit.
struct ChosenExposure {
  float exposure = 1.0f;
  float unlit = 0.0f;
};

/// An exposure with which bright and dark rooms both look good: it maps the upper quartile of
/// luminance to 0.5, a light grey. Only pixels that show a surface and are not black count; if
/// there are none, it is 1. Luminance is that after the white balance. `frame` must have kept its
/// film and hits.
ChosenExposure choose_exposure(const DrawnFrame& frame, const ColorMatrix& white_balance);

/// The shading called `shading`. If no row has this name, throws UsageError, which lists the rows.
const ShadingInfo& shading_called(std::string_view shading);

/// The names of Smoothing, in the order of its values.
inline constexpr std::array<std::string_view, 3> kSmoothings = {"off", "fast", "on"};
inline std::string name_of(Smoothing smoothing) {
  return std::string(kSmoothings[static_cast<std::size_t>(smoothing)]);
}
/// The value of a name. Throws UsageError for another name.
Smoothing smoothing_called(std::string_view name);

/// All shadings; the first is the default.
std::vector<ShadingInfo> shadings();

}  // namespace ballotcast::detail
