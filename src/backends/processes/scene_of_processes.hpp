// One scene in several processes (support/processes/processes.hpp).
//
// Each process has the whole scene, and makes the same calls with the same arguments. In a call the
// leader hands out chunks: to its own machines, and to the helpers, each of which it treats as one
// more machine (several/several_scene.hpp). At the end of the call every process has the whole
// result.
//
//   leader      share ---- thread of cuda:0 ---- its ResidentScene
//                    \---- thread for rank 1 --- RemoteScene  ... order, result ...  its scene
//                    \---- thread for rank 2 --- RemoteScene  ... order, result ...  its scene
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/scene/prepared_scene.hpp"
#include "backends/several/several_scene.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

/// Copies the scene to the machines of this process, and joins it with the scenes of all processes.
/// `share_memory`, `on_loss`: see make_several_scene. Throws InputError in a helper whose scene
/// differs from the leader's. `scene` must outlive the result.
std::unique_ptr<ResidentScene> make_scene_of_processes(
    Processes& processes, std::vector<Member> members, const PreparedScene& scene,
    bool share_memory, std::function<void(const std::string& why)> on_loss);

}  // namespace ballotcast::detail
