// Exports the view of the page: as a command line, a scene file, or a case of a suite.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/options.hpp"
#include "scene/scene_data.hpp"
#include "support/json_fwd.hpp"
#include "view/request.hpp"

namespace ballotcast::detail {

/// The options of the command line that give the scene.
struct SceneOnCommandLine {
  std::string program;  // the word by which the program was started
  // The scene's file; "" for the built-in scene, or for meshes without a scene file
  std::string file;
  std::vector<std::string> words;  // the options that change the scene, each followed by its value
  Vec3d up{0.0, 1.0, 0.0};         // the up direction of cameras that are not given as a pose
  bool uploaded = false;  // true if a page has sent the files, which are removed at the end
  bool animated = false;  // true if meshes have animations, so that even frame 0 may differ
};

/// The command that draws the same bytes into view.png, or into view-N.png for frame N of a scene
/// that moves. `settings` must be complete, except for an exposure that is chosen from the picture.
/// A camera with another `up` than the scene's is written as a pose, and a camera with a camera
/// matrix as that matrix; both are rounded. Throws UsageError if a page has sent the scene's files.
std::string render_command_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                               const RenderSettings& settings);

/// The text of a scene file with this view, for the folder of `scene.file`. Throws UsageError if
/// that is impossible: there is no scene file, options change the scene, or the view shows another
/// frame than the first.
std::string scene_file_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                           const RenderSettings& settings);

/// The entry of a suite that draws the same bytes, for a suite in the folder of `suite`. Throws
/// UsageError in the same cases as scene_file_for, except for the built-in scene.
Json suite_case_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                    const RenderSettings& settings, const std::string& name,
                    const std::string& suite);

/// Adds an entry to the suite in the file `path`, and makes the file if it does not exist. Throws
/// InputError if the file is not a suite, or if the entry is invalid there, e.g. because a case has
/// the same name. Then the file is unchanged.
void add_to_suite(const std::string& path, const Json& entry);

}  // namespace ballotcast::detail
