// The options that change a scene or its camera. They override the scene's file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backends/pack/cache.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/camera.hpp"
#include "ballotcast/scene.hpp"
#include "cli/option_table.hpp"

namespace ballotcast::detail {

/// The values of the options. An empty list means that the option is not given.
struct CameraForms {
  std::vector<double> intrinsics;  // fx, fy, cx, cy
  std::vector<double> pose;        // 12 or 16 numbers, row by row
  std::string convention;          // "": opencv
  std::string pose_is;             // "": camera-to-world
  std::string projection;          // "": perspective, or the projection of the scene
  std::vector<double> distortion;

  /// `camera`, with the values of these options, for a picture of this size. Throws UsageError if
  /// both state the same thing, or if a matrix is not that of a camera.
  CameraSettings over(CameraSettings camera, u32 width, u32 height) const;
};

/// The options as rows of the option table. They fill `forms`, which must outlive them.
std::vector<Option> camera_form_options(CameraForms& forms, const std::string& group);

/// The scene that the options request, and the members of the camera that they state.
struct SceneOptions {
  SceneRequest scene;
  CameraSettings camera;
  CameraForms forms;  // for commands that take picture_scene_options
  CacheOptions cache;
  std::string of_time;  // the option of animation_options that was given to moment_options, or ""

  /// Throws UsageError if an option says how an animation plays, but --time is not given.
  void require_time() const;

  /// Everything that options state about the camera, for a picture of this size. Throws as
  /// CameraForms::over does.
  CameraSettings camera_for(u32 width, u32 height) const {
    return forms.over(camera, width, height);
  }
};

/// The row for SCENE itself, for commands that use a built-in scene without it. It fills `options`,
/// which must outlive it.
Option scene_file_option(SceneOptions& options, const std::string& group);

/// The options as rows of the option table, without SCENE itself. They fill `options`, which must
/// outlive them.
std::vector<Option> scene_options(SceneOptions& options);

/// As scene_options, with the options that state a camera by matrices.
std::vector<Option> picture_scene_options(SceneOptions& options);

/// As scene_options, without the options that only place a camera.
std::vector<Option> world_options(SceneOptions& options);

/// The options that say how animations play, under the heading `group`.
std::vector<Option> animation_options(SceneOptions& options, const std::string& group);

/// The option --time, under the heading `group`. `what` says what is done at that time.
Option time_option(SceneOptions& options, const std::string& group, const std::string& what);

/// animation_options and --time, for commands that use a scene at one moment.
std::vector<Option> moment_options(SceneOptions& options, const std::string& group);

/// The option --strict, for commands that load scenes, under the heading `group`.
Option strict_option(bool& strict, const std::string& group);

/// The options --cache and --cache-size, for commands that load scenes, under the heading `group`.
std::vector<Option> cache_options(CacheOptions& cache, const std::string& group);

/// Loads a scene, through the cache if one is given. Calls `before_warnings`, then prints the
/// scene's warnings as remarks. `tree` is the tree that will be asked for, and `building` says
/// where it would be built. Throws the same errors as load_scene, prepare, `building` and
/// `before_warnings`.
CachedScene load(
    const SceneRequest& request, const CacheOptions& cache, const TreeNames& tree,
    const std::function<BuildTree()>& building = [] { return BuildTree(); },
    const std::function<void()>& before_warnings = {});

/// Loads a scene and prints its warnings as remarks. Throws the same errors as load_scene.
Scene load(const SceneRequest& request);

/// Prints a remark if a packed scene's tree was not used, but built anew.
void remark_tree(const PreparedScene& scene);

}  // namespace ballotcast::detail
