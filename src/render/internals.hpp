// Functions on a Renderer, besides its public ones, for the program, the viewer, the Python module
// and tests.
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

#pragma GCC visibility push(default)  // for the Python module
/// The tree and the tables of a renderer's scene.
const PreparedScene& prepared_of(const Renderer& renderer);
/// The scene in its present state.
const SceneData& scene_of(const Renderer& renderer);
const DeviceChoice& device_of(const Renderer& renderer);
/// The scene on the device. Only after the scene was used there.
ResidentScene& resident_of(Renderer& renderer);
/// The parts of a scene that was cut into parts. Empty for other scenes.
const std::vector<ScenePart>& parts_of(const Renderer& renderer);

/// The memory and the batch size of the last call, the memory of the scene, and the limit for
/// calls.
const MemoryPlan& plan_of(const Renderer& renderer);
const MemoryTable& scene_memory_of(const Renderer& renderer);
std::optional<u64> budget_of(const Renderer& renderer);

/// See HitFilter::instance_masks.
const u32* instance_masks_of(const Renderer& renderer);

/// The light of a picture. `settings` must be resolved.
Light light_in(const Renderer& renderer, const RenderSettings& settings);

/// Answers a query whose arrays are in host memory: chooses its kernels by `options`, checks the
/// query, and plans memory. All calls of Renderer lead here. If the query has sums, there must be
/// as many as triangles. Throws UsageError for options, worlds, masks or triangles to skip that do
/// not exist.
CastCounts ask(Renderer& renderer, Query query, const CastOptions& options = {});
/// All crossings of the rays of a query of CrossingCounts. Their number is known only afterwards,
/// so a caller can't provide room for them. Throws as ask() does.
AllHits ask_for_all_crossings(Renderer& renderer, const Query& counting);

/// Changes the scene to that of another frame. `how`: how the tree follows if vertices move.
void become(Renderer& renderer, SceneChange change, Follow how = Follow::automatic);
/// Makes a renderer usable again in a forked process, if another thread was casting or drawing with
/// it at the fork: that thread does not exist here. Not for a fork during a move.
void begin_anew(Renderer& renderer);
/// Lets only rank 0, of several processes, have pixels and hits: no other process writes them.
void let_leader_have_all(Renderer& renderer);
/// The part of Renderer::losses that is new since the last call.
std::string take_new_losses(Renderer& renderer);
#pragma GCC visibility pop

}  // namespace ballotcast::detail
