// What the program, the viewer, the Python module and tests need of a Renderer beyond its public
// calls.
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
/// The scene as it is now.
const SceneData& scene_of(const Renderer& renderer);
const DeviceChoice& device_of(const Renderer& renderer);
/// The scene on the device. It must have been used before.
ResidentScene& resident_of(Renderer& renderer);
/// The parts of a scene that was cut into parts; else empty.
const std::vector<ScenePart>& parts_of(const Renderer& renderer);

/// The memory and the batch size of the last call, that of the scene, and what calls may take.
const MemoryPlan& plan_of(const Renderer& renderer);
const MemoryTable& scene_memory_of(const Renderer& renderer);
std::optional<u64> budget_of(const Renderer& renderer);

/// See HitFilter::instance_masks.
const u32* instance_masks_of(const Renderer& renderer);

/// The light of a picture. `settings` must be resolved.
Light light_in(const Renderer& renderer, const RenderSettings& settings);

/// Asks a query whose arrays are in host memory: chooses its kernels by `options`, checks it, and
/// plans memory. All calls of Renderer lead here. Of sums there must be as many as triangles.
/// Throws UsageError for options, worlds, masks or triangles to skip that do not exist.
CastCounts ask(Renderer& renderer, Query query, const CastOptions& options = {});
/// All crossings of the rays of a query of CrossingCounts: how many they are is known only
/// afterwards, so no caller can have room for them. Throws as ask() does.
AllHits ask_for_all_crossings(Renderer& renderer, const Query& counting);

/// Makes the scene that of another frame. `how`: how the tree follows if vertices move.
void become(Renderer& renderer, SceneChange change, Follow how = Follow::automatic);
/// Makes a renderer usable again in a process that was forked while another thread cast or drew
/// with it: that thread is not there. Not after a fork during a move.
void begin_anew(Renderer& renderer);
/// Of several processes, only rank 0 gets pixels and hits: nobody else writes them.
void let_leader_have_all(Renderer& renderer);
/// The part of Renderer::losses that is new since the last call.
std::string take_new_losses(Renderer& renderer);
#pragma GCC visibility pop

}  // namespace ballotcast::detail
