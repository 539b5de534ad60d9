// Scenes that are made from formulas, so that they need no file and are the same everywhere.
#pragma once

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The scene that is drawn when no file is given, made in memory.
SceneData builtin_scene_data();

/// A scene of any size, to show how costs grow with size: a hilly terrain of about `triangles`
/// triangles (at least 2), 100 units wide, called "terrain", with a camera. All sizes sample the
/// same height function, large ones more finely. Throws UsageError for more triangles than a mesh
/// may have.
SceneData generated_terrain(u64 triangles);

}  // namespace ballotcast::detail
