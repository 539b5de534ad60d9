// What the command line says about a scene, on top of what its file says.
#pragma once

#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "render/renderer.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Everything a scene file may state; what is absent stays as the scene has it.
struct SceneChanges {
  std::vector<PlacedFile> meshes;  // more of them
  std::optional<dvec3> eye, look_at, up;
  std::optional<double> fov;  // degrees
  std::optional<dvec3> sun_direction;
  std::optional<vec3> sun_color;
  std::optional<float> sun_strength;
  std::optional<vec3> sky_zenith, sky_horizon, sky_ground;
  std::optional<float> sky_strength;
  std::optional<float> exposure;
  std::optional<double> crease_angle;  // degrees
  bool strict = false;                 // see accept_scene
};

/// The rows for the table of options; they fill `changes`, which must outlive them.
std::vector<Option> scene_options(SceneChanges& changes);

/// Loads the scene at `path`, or the built-in one for "", and changes it. Its camera comes last,
/// see camera_for.
SceneData load_changed_scene(const std::string& path, const SceneChanges& changes);

/// The row of --strict, for commands that load scenes, under the heading `group`.
Option strict_option(bool& strict, const std::string& group);

/// Remarks on what was left out of a scene that was loaded. Throws InputError, naming the scene,
/// when that was anything and `strict`, or when it wants a shading that there isn't.
void accept_scene(const SceneData& scene, bool strict);

/// The scene's camera, or else one that frames it, with those parts that were stated.
Camera camera_for(const SceneChanges& changes, const Renderer& renderer, u32 width, u32 height);

}  // namespace ballotcast::detail
