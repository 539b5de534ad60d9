// The members of a Renderer. Only for files of this folder; others call render/internals.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/parts/parts.hpp"
#include "backends/scene/moving_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/renderer.hpp"
#include "render/framing/framing.hpp"

namespace ballotcast::detail {

class RendererState {
 public:
  RendererState(Scene scene, const RendererOptions& options);
  /// Takes over everything from a state whose query never ends, except for the scene on the device.
  explicit RendererState(RendererState& interrupted);

  /// Runs `work` with the plan of the most rays at a time that fit into memory. If the device has
  /// less memory than planned, tries again with fewer rays. Throws OutOfDeviceMemory if even the
  /// smallest number does not fit.
  void work_within_memory(const MemoryPlans& plans, const std::function<void()>& work);

  /// Plans for the device memory that drawing a picture takes.
  MemoryPlans plans_of_picture(const FrameSettings& frame, const CastChoice& choice) const;

  /// True if only lamps shine in a picture, besides what is given about sun and sky. `settings`
  /// must be resolved. `framing` must be of the scene in its present state.
  bool is_lamplit(const RenderSettings& settings, Framing& framing) const;

  /// The scene in its present state.
  const SceneData& data() const { return *prepared->scene; }

  /// The moving scene. Throws UsageError if nothing in the scene may move.
  MovingScene& moving() const;
  /// See Renderer::follow.
  void follow(Follow how);
  /// See HitFilter; null if all bits of all masks are set.
  const u32* masks_of_instances() const {
    return instance_masks.empty() ? nullptr : instance_masks.data();
  }
  /// Changes the scene to that of another frame. `how`: how the tree follows if vertices move.
  void become(SceneChange change, Follow how = Follow::automatic);
  /// The part of `losses` that is new since the last call.
  std::string take_new_losses();

  const Scene scene;
  const DeviceChoice device;
  std::unique_ptr<MovingScene> motion;  // null unless vertices may move
  std::shared_ptr<const PreparedScene> prepared;
  std::vector<ScenePart> parts;             // empty unless the scene was cut into parts
  std::string note;                         // about the device and the parts, or ""
  MemoryTable scene_memory;                 // on the device; of several machines, on the fullest
  MemoryBudget budget;                      // the memory that calls may take
  MemoryPlan plan;                          // the memory and the batch size of the last call
  std::unique_ptr<ResidentScene> resident;  // null until the scene is uploaded
  PrepareTimes times;
  std::string losses;               // which machines have failed, one per line
  bool leader_has_all = false;      // see FrameSettings
  bool must_follow = false;         // vertices or transforms were set; the tree has not followed
  std::vector<u32> instance_masks;  // of Renderer::set_masks; else empty

 private:
  mutable std::optional<bool> lamplit_room_;  // the result of is_lamplit_room, once it was computed
  std::size_t given_losses_ = 0;              // the part of `losses` that was returned already

  void upload();
  void report_losses();
  /// Cuts the scene into parts if the options ask for it: see RendererOptions::partition.
  void cut(const RendererOptions& options);
  /// Lets the device take over the changed scene.
  void take_over(Moved moved);

  std::function<void(const std::string&)> on_loss_;  // see make_several_scene
};

/// Gives files of this folder access to the members of a Renderer.
struct RendererInternals {
  static RendererState& of(Renderer& renderer) { return *renderer.state_; }
  static const RendererState& of(const Renderer& renderer) { return *renderer.state_; }
  static void begin_anew(Renderer& renderer);
};

/// Throws UsageError unless there are instances, and one mask for each.
void require_mask_of_each(u64 masks, u64 instances);
/// Throws UsageError for masks of rays if there are no instances.
void require_use_of_masks(const RayFilter& filter, u64 instances);

/// Fills in the device::SceneView or device::PlainView at `view`, of which the program says the
/// kind, the size and the version of its header. Throws UsageError; see DeviceCaster::device_view.
void fill_device_view(const SceneForPrograms& scene, void* view, u64 bytes, u32 kind, u32 version);

}  // namespace ballotcast::detail
