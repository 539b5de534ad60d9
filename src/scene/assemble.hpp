// Putting a scene together: the one way from a request to a scene, for every command, the suites
// and the library.
#pragma once

#include <functional>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Told all warnings about a scene, once.
using OnWarnings = std::function<void(const std::vector<std::string>& warnings)>;

/// Reads the files of `request`, merges their meshes, and states over them what the request states.
/// `on_warnings` gets the warnings, which SceneData::warnings has too. Throws as load_scene of
/// ballotcast/scene.hpp; with `strict`, after they were told.
SceneData assemble(const SceneRequest& request, const OnWarnings& on_warnings = {});

/// The built-in scene, made in memory.
SceneData builtin_scene_data();

/// Adds a warning if the whole mesh is so small that rays may miss it because of rounding.
void warn_of_size(SceneData& scene);

}  // namespace ballotcast::detail
