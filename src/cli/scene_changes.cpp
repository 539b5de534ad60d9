#include "cli/scene_changes.hpp"

#include "cli/output.hpp"
#include "render/framing.hpp"
#include "scene/scene_file.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kBrightest = 1e6;  // exposure and strengths; what the library takes

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

/// Adds meshes to a scene, or makes them the scene where there is none.
void add_meshes(SceneData& scene, bool is_scene, const std::vector<PlacedFile>& meshes,
                const LoadOptions& load) {
  std::vector<PlacedScene> parts;
  if (is_scene) parts.push_back({scene, {}});
  for (const PlacedFile& mesh : meshes) {
    SceneData part = load_part(mesh.file, load);
    if (part.camera || part.shading || part.exposure)
      part.warnings.push_back(mesh.file +
                              ": camera, shading and exposure aren't taken from what --mesh adds");
    parts.push_back({std::move(part), mesh.placement});
  }
  if (!is_scene) {  // what lights the first mesh lights all
    const SceneData& first = parts.front().scene;
    scene.name = first.name;
    if (first.sun_stated) scene.sun = first.sun;
    if (first.sky_stated) scene.sky = first.sky;
    scene.sun_stated = first.sun_stated;
    scene.sky_stated = first.sky_stated;
  }
  SceneData all;
  try {
    all = merged(std::move(parts));
    all.mesh.require_valid();
  } catch (const InputError& error) {
    throw UsageError(std::string("--mesh: ") + error.what());
  }
  scene.mesh = std::move(all.mesh);
  scene.origin = all.origin;
  scene.materials = std::move(all.materials);
  scene.material_names = std::move(all.material_names);
  scene.textures = std::move(all.textures);
  scene.texture_names = std::move(all.texture_names);
  scene.files = std::move(all.files);
  scene.warnings = std::move(all.warnings);
  leave_to_lamps(scene);
}

}  // namespace

std::vector<Option> scene_options(SceneChanges& c) {
  const Sun sun;
  const Sky sky;
  const std::string eye =
      "Camera (each wins over the scene file; what is left out frames the scene)";
  const std::string light =
      "Light (each wins over the scene file; default where the file is silent)";
  return {
      {"Meshes", "--mesh", "FILE[@PLACE]", "",
       "one more mesh, may be repeated; PLACE is x,y,z[,scale[,degrees]]: scaled, turned about y, "
       "moved to x,y,z. Without SCENE, these are the scene",
       add_mesh(c.meshes), true},
      strict_option(c.strict, "Meshes"),
      {eye, "--eye", "x,y,z", "", "where the camera stands, in the scene's units",
       set_vector(c.eye)},
      {eye, "--look-at", "x,y,z", "", "what it looks at", set_vector(c.look_at)},
      {eye, "--up", "x,y,z", "", "which way is up, for the camera and for the sky",
       set_direction(c.up)},
      {eye, "--fov", "DEGREES", "", "its field of view from bottom to top",
       set_number(c.fov, 0.0, 180.0, true)},
      {light, "--exposure", "E", "fits the picture", "multiplies all light in shading lit",
       set_number(c.exposure, 0.0, kBrightest)},
      {light, "--sun-direction", "x,y,z", in_words(vec3(sun.direction)), "towards the sun",
       set_direction(c.sun_direction)},
      {light, "--sun-color", "r,g,b", in_words(sun.color), "its colour, linear",
       set_color(c.sun_color)},
      {light, "--sun-strength", "S", fixed(static_cast<double>(sun.strength), 0),
       "its irradiance; 0 is night. Scenes with lamps have no sun unless an option or the scene "
       "file states one; so for the sky",
       set_number(c.sun_strength, 0.0, kBrightest)},
      {light, "--sky-zenith", "r,g,b", in_words(sky.zenith), "the sky's colour overhead",
       set_color(c.sky_zenith)},
      {light, "--sky-horizon", "r,g,b", in_words(sky.horizon), "its colour at the horizon",
       set_color(c.sky_horizon)},
      {light, "--sky-ground", "r,g,b", in_words(sky.ground), "the colour below the horizon",
       set_color(c.sky_ground)},
      {light, "--sky-strength", "S", fixed(static_cast<double>(sky.strength), 0),
       "multiplies the sky's colours; 0 is black", set_number(c.sky_strength, 0.0, kBrightest)},
      {"Surfaces", "--crease-angle", "DEGREES", fixed(kCreaseAngle, 0),
       "edges sharper than this stay sharp where a mesh has no normals; 0 is all flat, 180 all "
       "smooth",
       set_number(c.crease_angle, 0.0, 180.0)},
  };
}

SceneData load_changed_scene(const std::string& path, const SceneChanges& c) {
  LoadOptions load;
  if (c.crease_angle) load.crease_angle = *c.crease_angle;
  SceneData scene = path.empty() && c.meshes.empty() ? builtin_scene()
                    : path.empty()                   ? SceneData{}
                                                     : load_scene(path, load);
  if (!c.meshes.empty()) {
    add_meshes(scene, !path.empty(), c.meshes, load);
    warn_of_size(scene);
  }

  // Lamps put out a sun and a sky that nobody stated; a part stated here is one stated.
  if (c.sun_direction || c.sun_color)
    if (scene.sun.strength == 0.0f) scene.sun.strength = Sun{}.strength;
  if (c.sky_zenith || c.sky_horizon || c.sky_ground)
    if (scene.sky.strength == 0.0f) scene.sky.strength = Sky{}.strength;

  if (c.sun_direction) scene.sun.direction = *c.sun_direction;
  if (c.sun_color) scene.sun.color = *c.sun_color;
  if (c.sun_strength) scene.sun.strength = *c.sun_strength;
  if (c.sky_zenith) scene.sky.zenith = *c.sky_zenith;
  if (c.sky_horizon) scene.sky.horizon = *c.sky_horizon;
  if (c.sky_ground) scene.sky.ground = *c.sky_ground;
  if (c.sky_strength) scene.sky.strength = *c.sky_strength;
  if (c.exposure) scene.exposure = *c.exposure;
  if (c.up) scene.up = *c.up;
  return scene;
}

Option strict_option(bool& strict, const std::string& group) {
  return {group,
          "--strict",
          "",
          "",
          "make every warning about a scene an error (exit code 3)",
          set_flag(strict)};
}

void accept_scene(const SceneData& scene, bool strict) {
  remark_warnings(scene.warnings);
  const std::string place = scene.files.empty() ? scene.name : scene.files.front();
  if (strict && !scene.warnings.empty())
    throw InputError(place + ": " + counted(scene.warnings.size(), "warning") + " about the scene" +
                     (scene.files.size() > 1 ? " and what it is made of" : "") +
                     ", which --strict makes an error");
  if (!scene.shading) return;
  try {
    shading_called(*scene.shading);
  } catch (const UsageError& error) {
    throw InputError(place + ": " + error.what());
  }
}

Camera camera_for(const SceneChanges& c, const Renderer& renderer, u32 width, u32 height) {
  Camera camera;
  if (renderer.scene().camera) {
    camera = *renderer.scene().camera;
  } else if (c.eye && c.look_at) {  // nothing is left to look for
    camera = default_camera(renderer.scene());
  } else {
    const double aspect = static_cast<double>(width) / height;
    camera = frame_scene(renderer.prepared(), aspect, c.fov.value_or(kFramingFov));
  }
  if (c.eye) camera.eye = *c.eye;
  if (c.look_at) camera.look_at = *c.look_at;
  if (c.up) camera.up = *c.up;
  if (c.fov) camera.fov = *c.fov;
  return camera;
}

}  // namespace ballotcast::detail
