// The members of a Renderer. Only files of this folder include this header; others use
// render/internals.hpp.
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
  /// Takes over the members of a state whose query never ends, except for the scene on the device
  /// and the memory plan of the last call.
  explicit RendererState(RendererState& interrupted);

  /// Runs `work` with the plan with the most rays at a time that fits into memory. If the device
  /// has less memory than planned, tries again with fewer rays. Throws OutOfDeviceMemory if even
  /// the smallest number does not fit.
  void work_within_memory(const MemoryPlans& plans, const std::function<void()>& work);

  /// The plans for the device memory of drawing a picture.
  MemoryPlans plans_of_picture(const FrameSettings& frame, const CastChoice& choice) const;

  /// True if only lamps shine in a picture, except for given sun and sky. `settings` must be
  /// resolved. `framing` must belong to the scene in its current state.
  bool is_lamplit(const RenderSettings& settings, Framing& framing) const;

  /// The scene in its current state.
  const SceneData& data() const { return *prepared->scene; }

  /// The moving scene. Throws UsageError if nothing in the scene may move.
  MovingScene& moving() const;
  /// Updates the tree after vertices have moved; see Renderer::follow.
  void follow(Follow mode);
  /// The masks of the instances for HitFilter; null if all bits of all masks are set.
  const u32* masks_of_instances() const {
    return instance_masks.empty() ? nullptr : instance_masks.data();
  }
  /// Changes the scene to that of another frame. `mode` says how the tree is updated if vertices
  /// move.
  void change_scene(SceneChange change, Follow mode = Follow::automatic);
  /// The part of `losses` that was added since the last call.
  std::string take_new_losses();

  const Scene scene;
  const DeviceChoice device;
  std::unique_ptr<MovingScene> motion;  // null unless vertices may move
  std::shared_ptr<const PreparedScene> prepared;
  std::vector<ScenePart> parts;  // empty unless the scene was cut into parts
  std::string note;              // a note about the device and the parts, or ""
  // Memory on the device; with several machines, on the machine with the most
  MemoryTable scene_memory;
  MemoryBudget budget;                      // the memory that calls may take
  MemoryPlan plan;                          // the memory and the batch size of the last call
  std::unique_ptr<ResidentScene> resident;  // null until the scene is uploaded
  PrepareTimes times;
  std::string losses;           // the machines that have failed, one per line
  bool leader_has_all = false;  // true if only rank 0 gets pixels and hits
  bool must_follow = false;  // true if vertices or transforms were set but the tree was not updated
  std::vector<u32> instance_masks;  // of the scene, then of set_masks; empty: all bits are set

 private:
  mutable std::optional<bool> lamplit_room_;  // the cached result of is_lamplit_room
  std::size_t given_losses_ = 0;  // length of the part of `losses` that was already returned

  void upload();
  void report_losses();
  /// Cuts the scene into parts if the options require it: see RendererOptions::partition.
  void cut_scene(const RendererOptions& options);
  /// Copies the changes of the scene to the device.
  void update_device(Moved moved);

  std::function<void(const std::string&)> on_loss_;  // see make_several_scene
};

/// Gives files of this folder access to the members of a Renderer.
struct RendererInternals {
  static RendererState& of(Renderer& renderer) { return *renderer.state_; }
  static const RendererState& of(const Renderer& renderer) { return *renderer.state_; }
  static void recover_after_fork(Renderer& renderer);
};

/// Throws UsageError unless there are instances, and one mask for each.
void require_mask_of_each(u64 masks, u64 instances);
/// Throws UsageError if `filter` has masks of rays, or rays skip instances, although there are
/// none.
void require_use_of_instances(const RayFilter& filter, u64 instances);

/// Throws UsageError for a query that can't be answered in a scene with shapes.
void require_use_of_shapes(const Query& query, const SceneData& scene);

/// Sets the members of the device::SceneView or device::PlainView at `view`. The program passes the
/// kind, the size and the version of its header. Throws UsageError if the program was compiled with
/// another header, or if the scene can't have such a view (see DeviceCaster::device_view).
void fill_device_view(const SceneForPrograms& scene, void* view, u64 bytes, u32 kind, u32 version);

}  // namespace ballotcast::detail
