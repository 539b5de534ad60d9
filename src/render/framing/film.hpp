// The camera of a film that nobody states.
#pragma once

#include "backends/scene/prepared_scene.hpp"
#include "scene/json/frames.hpp"

namespace ballotcast::detail {

/// Moves `camera`, which sees frame 0 of a scene as a whole, so that it sees all frames as a whole:
/// if it followed what moves, all else would shake. A camera inside of the scene stays. `scene` is
/// in frame 0.
Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect);

}  // namespace ballotcast::detail
