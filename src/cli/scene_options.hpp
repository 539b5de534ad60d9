// The options that change a scene or its camera. They replace values of the scene's file.
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

/// The values of the options that give a camera by matrices. Lists and texts are empty if their
/// option is not given.
struct CameraForms {
  std::vector<double> intrinsics;  // fx, fy, cx, cy of the camera matrix
  std::vector<double> pose;        // the matrix of the pose: 12 or 16 numbers, row by row
  std::string convention;          // convention of the pose; "" for opencv
  std::string pose_is;             // direction of the pose; "" for camera-to-world
  std::string projection;  // name of the projection; "" for that of the scene, or else perspective
  std::vector<double> distortion;

  /// Returns `camera` with the values of these options, for a picture of this size. Throws
  /// UsageError if both give the same thing, or if a matrix is not that of a camera.
  CameraSettings over(CameraSettings camera, u32 width, u32 height) const;
};

/// The table of these options. They fill `forms`, which must outlive them.
std::vector<Option> camera_form_options(CameraForms& forms, const std::string& group);

/// The scene that the options request, and the members of the camera that they give.
struct SceneOptions {
  SceneRequest scene;
  CameraSettings camera;
  CameraForms forms;  // only for commands that have picture_scene_options
  CacheOptions cache;
  // The name of an option of animation_options that was given to moment_options, where it needs
  // --time; "" if none was given
  std::string of_time;

  /// Throws UsageError if an option for playing animations is given without --time.
  void require_time() const;

  /// All members of the camera that options have given, for a picture of this size. Throws
  /// UsageError if two options give the same thing, or if a matrix is not that of a camera.
  CameraSettings camera_for(u32 width, u32 height) const {
    return forms.over(camera, width, height);
  }
};

/// The option SCENE, for commands that use a built-in scene if it is not given. It fills `options`,
/// which must outlive it.
Option scene_file_option(SceneOptions& options, const std::string& group);

/// The options for the scene and the camera, without SCENE. They fill `options`, which must outlive
/// them.
std::vector<Option> scene_options(SceneOptions& options);

/// The options of scene_options, and the options that give a camera by matrices.
std::vector<Option> picture_scene_options(SceneOptions& options);

/// The options of scene_options without those that only place a camera.
std::vector<Option> world_options(SceneOptions& options);

/// The options for playing animations, under the heading `group`.
std::vector<Option> animation_options(SceneOptions& options, const std::string& group);

/// The option --time, under the heading `group`. `help` is the part of its help that tells what
/// happens at that time.
Option time_option(SceneOptions& options, const std::string& group, const std::string& help);

/// The options of animation_options and --time, for commands that use a scene at one moment.
std::vector<Option> moment_options(SceneOptions& options, const std::string& group);

/// The option --strict, for commands that load scenes, under the heading `group`.
Option strict_option(bool& strict, const std::string& group);

/// The options --cache and --cache-size, for commands that load scenes, under the heading `group`.
std::vector<Option> cache_options(CacheOptions& cache, const std::string& group);

/// Loads a scene, through the cache if there is one. Calls `before_warnings`, then prints the
/// warnings about the scene as remarks. `tree` is the tree that will be needed, and `building`
/// tells where it would be built. Throws the errors of load_scene, prepare, `building` and
/// `before_warnings`.
CachedScene load(
    const SceneRequest& request, const CacheOptions& cache, const TreeNames& tree,
    const std::function<BuildTree()>& building = [] { return BuildTree(); },
    const std::function<void()>& before_warnings = {});

/// Loads a scene and prints the warnings about it as remarks. Throws InputError if the scene can't
/// be loaded, and UsageError for invalid settings (load_scene).
Scene load(const SceneRequest& request);

/// Prints a remark if the tree of a packed scene was not used, but a new one was built.
void remark_tree(const PreparedScene& scene);

}  // namespace ballotcast::detail
