// Makes scenes. Every command, the suites and the library use this one way from a request to a
// scene.
#pragma once

#include <functional>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Gets all warnings about a scene, once.
using OnWarnings = std::function<void(const std::vector<std::string>& warnings)>;

/// Reads the files of `request`, merges their meshes, and applies what the request states.
/// `on_warnings` gets the warnings, which are also in SceneData::warnings. Throws the same errors
/// as load_scene of ballotcast/scene.hpp; with `strict`, only after on_warnings was called.
SceneData assemble(const SceneRequest& request, const OnWarnings& on_warnings = {});

/// The last step of assemble: applies what `request` states besides files, placements and the
/// crease angle. `scene` is what these give, newly read or packed. Throws the same errors.
void apply_settings(const SceneRequest& request, SceneData& scene, const OnWarnings& on_warnings);

/// The built-in scene, made in memory.
SceneData builtin_scene_data();

/// Adds a warning if the whole mesh is so small that rays may miss it because of rounding.
void warn_of_size(SceneData& scene);

}  // namespace ballotcast::detail
