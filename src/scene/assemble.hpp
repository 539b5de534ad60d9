// Makes scenes from requests. All commands, the suites and the library use this code.
#pragma once

#include <functional>

#include "ballotcast/scene.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// Throws UsageError, which names the setting, if a setting is outside its range (see SceneRequest,
/// SunSettings, SkySettings and Placement). Settings from files and command lines are checked where
/// they are read, so that messages can name the line or the option.
void require_sensible(const SceneRequest& request);

/// The moment that a request asks for.
Moment moment_of(const SceneRequest& request);

/// How the files of a request are read: its crease angle, its time and its animation.
LoadOptions options_for_files(const SceneRequest& request);

/// A function that is called once, with all warnings about a scene.
using OnWarnings = std::function<void(const std::vector<std::string>& warnings)>;

/// Reads the files of `request`, merges their meshes, and applies the settings of the request.
/// `on_warnings` gets the warnings, which are also in SceneData::warnings. Throws the same errors
/// as load_scene of ballotcast/scene.hpp; with `strict`, only after on_warnings was called.
SceneData assemble(const SceneRequest& request, const OnWarnings& on_warnings = {});

/// The last step of assemble: applies the settings of `request` other than files, placements and
/// the crease angle to `scene`, which was read from mesh files or from a packed file. Throws the
/// same errors as assemble.
void apply_settings(const SceneRequest& request, SceneData& scene, const OnWarnings& on_warnings);

/// Adds a warning if the whole mesh is so small that rays may miss it because of rounding.
void warn_of_size(SceneData& scene);

/// The scene that is drawn when no file is given. It is made in memory and has the same bits on
/// every machine.
SceneData builtin_scene_data();

/// A scene of any size, to show how times depend on the size: a hilly terrain of about `triangles`
/// triangles (at least 2), 100 units wide, called "terrain", with a camera. All sizes sample the
/// same height function at different resolutions. Throws UsageError for more triangles than a mesh
/// may have.
SceneData generated_terrain(u64 triangles);

}  // namespace ballotcast::detail
