// Scenes of any size, made from a formula, to show how costs grow with size.
#pragma once

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A hilly terrain of about `triangles` triangles (at least 2), 100 units wide, called "terrain",
/// with a camera. All sizes sample the same height function, large ones more finely. Throws
/// UsageError for more triangles than a mesh may have.
SceneData generated_terrain(u64 triangles);

}  // namespace ballotcast::detail
