// Makes scenes. Every command, the suites and the library use this one way from a request to a
// scene.
#pragma once

#include <functional>

#include "ballotcast/scene.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Throws UsageError, which names the setting, if one is outside its range: see SceneRequest,
/// SunSettings, SkySettings and Placement. Files and command lines are checked where they are read,
/// so that their messages can name the line or the option.
void require_sensible(const SceneRequest& request);

/// The moment that a request states.
Moment moment_of(const SceneRequest& request);

/// What a request states about the files that it names.
LoadOptions options_for_files(const SceneRequest& request);

/// Gets all warnings about a scene, once.
using OnWarnings = std::function<void(const std::vector<std::string>& warnings)>;

/// Reads the files of `request`, merges their meshes, and applies what the request states.
/// `on_warnings` gets the warnings, which are also in SceneData::warnings. Throws the same errors
/// as load_scene of ballotcast/scene.hpp; with `strict`, only after on_warnings was called.
SceneData assemble(const SceneRequest& request, const OnWarnings& on_warnings = {});

/// The last step of assemble: applies what `request` states besides files, placements and the
/// crease angle. `scene` is what these give, newly read or packed. Throws the same errors.
void apply_settings(const SceneRequest& request, SceneData& scene, const OnWarnings& on_warnings);

/// Adds a warning if the whole mesh is so small that rays may miss it because of rounding.
void warn_of_size(SceneData& scene);

/// The scene that is drawn when no file is given, made in memory, the same everywhere.
SceneData builtin_scene_data();

/// A scene of any size, to show how costs grow with size: a hilly terrain of about `triangles`
/// triangles (at least 2), 100 units wide, called "terrain", with a camera. All sizes sample the
/// same height function, large ones more finely. Throws UsageError for more triangles than a mesh
/// may have.
SceneData generated_terrain(u64 triangles);

}  // namespace ballotcast::detail
