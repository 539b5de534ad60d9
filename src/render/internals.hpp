// Functions on a Renderer that are not public. The program, the viewer, the Python module and tests
// use them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/parts/parts.hpp"
#include "backends/scene/moving_scene.hpp"
#include "ballotcast/renderer.hpp"
#include "scene/light/light.hpp"

namespace ballotcast::detail {

#pragma GCC visibility push(default)  // exported for the Python module
/// The prepared scene of a renderer, with its tree and tables.
const PreparedScene& prepared_of(const Renderer& renderer);
/// The scene in its current state.
const SceneData& scene_of(const Renderer& renderer);
const DeviceChoice& device_of(const Renderer& renderer);
/// The scene on the device. Call this function only after the scene was used on the device.
ResidentScene& resident_of(Renderer& renderer);
/// The parts of a scene that was cut into parts. Empty for other scenes.
const std::vector<ScenePart>& parts_of(const Renderer& renderer);

/// The memory and the batch size of the last call, the memory of the scene, and the limit for
/// calls.
const MemoryPlan& plan_of(const Renderer& renderer);
const MemoryTable& scene_memory_of(const Renderer& renderer);
std::optional<u64> budget_of(const Renderer& renderer);

/// The masks of the instances, for HitFilter::instance_masks.
const u32* instance_masks_of(const Renderer& renderer);

/// The light of a picture. `settings` must be resolved.
Light light_in(const Renderer& renderer, const RenderSettings& settings);

/// Answers a query whose arrays are in host memory: chooses its kernels by `options`, checks the
/// query, and plans memory. All calls of Renderer use this function. If the query has sums, there
/// must be as many sums as triangles. Throws UsageError for options, worlds, masks or triangles to
/// skip that do not exist.
CastCounts ask(Renderer& renderer, Query query, const CastOptions& options = {});
/// All crossings of the rays of a query of CrossingCounts. Their number is not known before, so a
/// caller can't provide memory for them. Throws as ask() does.
AllHits ask_for_all_crossings(Renderer& renderer, const Query& counting);

/// Changes the scene to that of another frame. `mode` says how the tree is updated if vertices
/// move.
void change_scene(Renderer& renderer, SceneChange change, Follow mode = Follow::automatic);
/// Makes a renderer usable again in a forked process if another thread was casting or drawing with
/// it during the fork, because that thread does not exist in the fork. It must not be used if the
/// fork happened during a move.
void recover_after_fork(Renderer& renderer);
/// In a run of several processes, only rank 0 gets pixels and hits, because no other process writes
/// them.
void let_leader_have_all(Renderer& renderer);
/// The part of Renderer::losses that was added since the last call.
std::string take_new_losses(Renderer& renderer);
#pragma GCC visibility pop

}  // namespace ballotcast::detail
