// Changes to a scene that the command line states. They override the scene's file.
#pragma once

#include <vector>

#include "ballotcast/scene.hpp"
#include "cli/options.hpp"

namespace ballotcast::detail {

/// The scene that options ask for, and the parts of the camera that they state.
struct SceneOptions {
  SceneRequest scene;
  CameraSettings camera;
};

/// The rows for the table of options; they fill `options`, which must outlive them. SCENE itself is
/// not among them.
std::vector<Option> scene_options(SceneOptions& options);

/// The option --strict, for commands that load scenes, under the heading `group`.
Option strict_option(bool& strict, const std::string& group);

/// Loads a scene and remarks on what was left out of it. Throws as load_scene.
Scene load(const SceneRequest& request);

}  // namespace ballotcast::detail
