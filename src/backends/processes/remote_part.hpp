// A part of a scene that a helper holds (parts/cut.hpp): rays go there, and their hits come back.
#pragma once

#include <memory>
#include <vector>

#include "backends/parts/parts_scene.hpp"
#include "backends/processes/remote_scene.hpp"
#include "ballotcast/frame.hpp"

namespace ballotcast::detail {

/// The part, as the leader sees it. Only casts and crossings go there.
std::unique_ptr<ResidentScene> make_remote_part(Processes& processes, u32 rank, std::size_t part,
                                                const LeaderCall& call);

/// In a helper: does what the leader wants of a part, for `count` rays that it sends. `at_once`:
/// that of the last begin_work. Adds the times of its stages to `times`.
void serve_part(Processes& processes, SceneInParts& scene, std::size_t part, u64 count,
                const CastChoice& choice, u32 at_once, std::vector<StageTime>& times);

}  // namespace ballotcast::detail
