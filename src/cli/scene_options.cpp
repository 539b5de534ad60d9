#include "cli/scene_options.hpp"

#include "backends/pack/packed_tree.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "scene/assemble.hpp"
#include "scene/light/light.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostLens = 1e12;
constexpr const char* kCameraGroup =
    "Camera (overrides the scene file; missing parts are chosen to frame the scene)";

std::string in_words(const vec3& v) {
  std::string list;
  for (int i = 0; i < 3; ++i) {
    std::string number = fixed(static_cast<double>(v[i]), 2);
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
    list += (i > 0 ? "," : "") + number;
  }
  return list;
}

/// Sets the up direction of both scene and camera, which have one common option.
Setter set_up(SceneOptions& c) {
  const auto up = std::make_shared<std::optional<Vec3d>>();
  return [&c, up, set = set_direction(*up)](const std::string& name, const std::string& text) {
    set(name, text);
    c.scene.up = c.camera.up = *up;
  };
}

std::vector<Option> mesh_options(SceneOptions& c) {
  return {
      {"Meshes", "--mesh", "FILE[@PLACE]", "",
       "adds a mesh (may be repeated); PLACE is x,y,z[,scale[,degrees]]: the mesh is scaled, "
       "rotated about y, moved to x,y,z. Without SCENE, these meshes are the scene",
       add_mesh(c.scene.meshes), true},
      strict_option(c.scene.strict, "Meshes"),
  };
}

Option up_option(SceneOptions& c, const std::string& group) {
  return {group, "--up", "x,y,z", "", "which way is up, for the camera and for the sky", set_up(c)};
}

std::vector<Option> camera_options(SceneOptions& c) {
  const std::string eye = kCameraGroup;
  return {
      {eye, "--eye", "x,y,z", "", "where the camera stands, in the scene's units",
       set_vector(c.camera.eye)},
      {eye, "--look-at", "x,y,z", "", "what it looks at", set_vector(c.camera.look_at)},
      up_option(c, eye),
      {eye, "--fov", "DEGREES", "",
       "its field of view from bottom to top; at most 179, of a fisheye 360",
       set_number(c.camera.fov, kLeastFov, kMostFisheyeFov)},
      {eye, "--lens", "DIAMETER", "0",
       "diameter of the lens, in the scene's units; 0: a pinhole, everything is sharp",
       set_number(c.camera.lens, 0.0, kMostLens)},
      {eye, "--focus", "DISTANCE", "that of what it looks at", "the distance of what is sharp",
       set_number(c.camera.focus, 0.0, kMostLens)},
      {eye, "--ortho", "HEIGHT", "",
       "orthographic: no perspective; the picture shows this height of the scene",
       set_number(c.camera.ortho_height, 0.0, kMostLens)},
  };
}

std::vector<Option> light_options(SceneOptions& c) {
  const Sun sun;
  const Sky sky;
  const std::string light =
      "Light (overrides the scene file; the default applies if neither states it)";
  return {
      {light, "--exposure", "E", "fits the picture", "multiplies all light in shading lit",
       set_number(c.scene.exposure, 0.0, kMostLight)},
      {light, "--sun-direction", "x,y,z", in_words(vec3(sun.direction)), "towards the sun",
       set_direction(c.scene.sun.direction)},
      {light, "--sun-color", "r,g,b", in_words(sun.color), "its colour, linear",
       set_color(c.scene.sun.color)},
      {light, "--sun-strength", "S", fixed(static_cast<double>(sun.strength), 0),
       "irradiance of the sun; 0 is night. A room with lamps has no sun and no sky unless an "
       "option or the scene file states one",
       set_number(c.scene.sun.strength, 0.0, kMostLight)},
      {light, "--sky", "FILE", "",
       "a picture of the whole sky (.hdr, .pfm, .exr), instead of the three colours; the sun is in "
       "it",
       set_file(c.scene.sky.file)},
      {light, "--sky-turn", "DEGREES", "0", "turns the picture about the up direction",
       set_number(c.scene.sky.turn, -360.0, 360.0)},
      {light, "--sky-zenith", "r,g,b", in_words(sky.zenith), "the sky's colour overhead",
       set_color(c.scene.sky.zenith)},
      {light, "--sky-horizon", "r,g,b", in_words(sky.horizon), "its colour at the horizon",
       set_color(c.scene.sky.horizon)},
      {light, "--sky-ground", "r,g,b", in_words(sky.ground), "the colour below the horizon",
       set_color(c.scene.sky.ground)},
      {light, "--sky-strength", "S", fixed(static_cast<double>(sky.strength), 0),
       "multiplies the sky's colours or its picture; 0 is black",
       set_number(c.scene.sky.strength, 0.0, kMostLight)},
  };
}

std::vector<Option> surface_options(SceneOptions& c) {
  return {
      {"Surfaces", "--crease-angle", "DEGREES", fixed(kCreaseAngle, 0),
       "for meshes without normals: edges with a larger angle stay sharp; 0: all flat, 180: all "
       "smooth",
       set_number(c.scene.crease_angle, 0.0, 180.0)},
  };
}

}  // namespace

std::vector<Option> scene_options(SceneOptions& c) {
  std::vector<Option> table = mesh_options(c);
  for (const auto& more : {camera_options(c), light_options(c), surface_options(c)})
    table.insert(table.end(), more.begin(), more.end());
  return table;
}

std::vector<Option> picture_scene_options(SceneOptions& c) {
  std::vector<Option> table = mesh_options(c);
  for (const auto& more : {camera_options(c), camera_form_options(c.forms, kCameraGroup),
                           light_options(c), surface_options(c)})
    table.insert(table.end(), more.begin(), more.end());
  return table;
}

std::vector<Option> world_options(SceneOptions& c) {
  std::vector<Option> table = mesh_options(c);
  table.push_back(up_option(c, "Camera"));
  for (const auto& more : {light_options(c), surface_options(c)})
    table.insert(table.end(), more.begin(), more.end());
  return table;
}

std::vector<Option> animation_options(SceneOptions& c, const std::string& group) {
  SceneRequest& scene = c.scene;
  return {{group, "--animation", "NAME", "the first",
           "which animation of .gltf and .glb files plays: a name, a number from 0, all or none",
           set_text(scene.animation)},
          {group, "--fps", "N", std::to_string(scene.frames_per_second),
           "how many frames make a second, of animations and of a film",
           set_count(scene.frames_per_second, 1, kMostFramesPerSecond)}};
}

Option time_option(SceneOptions& c, const std::string& group, const std::string& what) {
  return {group, "--time", "SECONDS", "", what, set_number(c.scene.time, 0.0, kMostSeconds)};
}

std::vector<Option> moment_options(SceneOptions& c, const std::string& group) {
  std::vector<Option> table = animation_options(c, group);
  for (Option& row : table)
    row.set = [&c, set = row.set](const std::string& name, const std::string& text) {
      set(name, text);
      c.of_time = name;
    };
  table.push_back(time_option(c, group, "take the scene as it is at this time"));
  return table;
}

void SceneOptions::require_time() const {
  if (!of_time.empty() && !scene.time) throw UsageError(of_time + " needs --time SECONDS");
}

Option strict_option(bool& strict, const std::string& group) {
  return {group,
          "--strict",
          "",
          "",
          "make every warning about a scene an error (exit code 3)",
          set_flag(strict)};
}

std::vector<Option> cache_options(CacheOptions& cache, const std::string& group) {
  return {{group, "--cache", "DIR", "",
           "keep scenes and their trees in this folder, for a quick start the next time",
           set_text(cache.folder)},
          {group, "--cache-size", "SIZE", "10G",
           "with --cache: its largest size; what was not used for the longest time is removed",
           set_bytes(cache.most_bytes)}};
}

CachedScene load(const SceneRequest& request, const CacheOptions& cache, const TreeNames& tree,
                 const std::function<BuildTree()>& building,
                 const std::function<void()>& before_warnings) {
  if (cache.folder.empty() && cache.most_bytes)
    throw UsageError("--cache-size is that of --cache DIR, which is not stated");
  ProgressBar bar("triangles");
  const auto tell = [&](const std::vector<std::string>& warnings) {
    if (before_warnings) before_warnings();
    remark_warnings(warnings);
  };
  return assemble_with_cache(
      request, tree, cache, tell, [](const std::string& text) { remark("note: " + text); },
      bar.report(), building);
}

Scene load(const SceneRequest& request) {
  return Scene(std::make_shared<const SceneData>(assemble(request, remark_warnings)));
}

void remark_tree(const PreparedScene& scene) {
  if (const std::string note = note_on_tree(scene); !note.empty()) remark("note: " + note);
}

}  // namespace ballotcast::detail
