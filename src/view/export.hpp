// Exports the view: as a command line, a scene file, or a case of a suite.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/options.hpp"
#include "scene/scene.hpp"
#include "support/json_fwd.hpp"
#include "view/request.hpp"

namespace ballotcast::detail {

/// How the command line states the scene.
struct SceneOnCommandLine {
  std::string program;             // the word by which it was called
  std::string file;                // the scene's file; "": the built-in scene, or meshes alone
  std::vector<std::string> words;  // the options that change the scene, each followed by its value
  Vec3d up{0.0, 1.0, 0.0};         // the up direction of a camera whose pose is not given
  bool uploaded = false;           // the files were sent by a page, and are removed at the end
  bool animated = false;           // meshes have animations, so even frame 0 may differ
};

/// The command that draws the same bytes into view.png, or into view-N.png for frame N of a scene
/// that moves. `settings` are complete, except for an exposure that is chosen from the picture. A
/// camera with an `up` of its own is given as a pose, and one with a camera matrix by that matrix;
/// both are rounded. Throws UsageError if the files were sent by a page.
std::string render_command_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                               const RenderSettings& settings);

/// A scene file of the same view, for the folder of `scene.file`. Throws UsageError if that is
/// impossible: there is no file, options change the scene, or it shows another frame than the
/// first.
std::string scene_file_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                           const RenderSettings& settings);

/// The entry of a suite in `suite`'s folder that draws the same bytes. Throws UsageError like
/// scene_file_for, but not for the built-in scene.
Json suite_case_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                    const RenderSettings& settings, const std::string& name,
                    const std::string& suite);

/// Adds an entry to the suite in the file `path`, which is made if it does not exist. Throws
/// InputError if the file is not a suite, or if the entry does not fit, e.g. because a case has the
/// same name. Then the file is unchanged.
void add_to_suite(const std::string& path, const Json& entry);

}  // namespace ballotcast::detail
