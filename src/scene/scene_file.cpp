#include "scene/scene_file.hpp"

#include <algorithm>
#include <filesystem>

#include "image/white_balance.hpp"
#include "scene/json_section.hpp"
#include "scene/keyframes.hpp"
#include "scene/light.hpp"
#include "scene/mesh_formats.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {
namespace {

// A sun that is named counts as stated, even without parts: {"sun": {}} gives a sun in a scene with
// lamps.
SunSettings read_sun(const Section& in) {
  SunSettings sun;
  if (in.has("direction")) sun.direction = in.direction("direction");
  if (in.has("color")) sun.color = in.color("color");
  sun.strength = in.has("strength") ? in.amount("strength", kMostLight) : Sun{}.strength;
  return sun;
}

SkySettings read_sky(const Section& in, const std::filesystem::path& directory) {
  SkySettings sky;
  if (in.has("file")) sky.file = (directory / in.text("file")).string();
  if (in.has("turn")) sky.turn = in.number("turn");
  if (in.has("zenith")) sky.zenith = in.color("zenith");
  if (in.has("horizon")) sky.horizon = in.color("horizon");
  if (in.has("ground")) sky.ground = in.color("ground");
  sky.strength = in.has("strength") ? in.amount("strength", kMostLight) : Sky{}.strength;
  return sky;
}

PlacedFile read_mesh_entry(const Json& json, const std::string& file, const std::string& name) {
  if (json.is_string()) return {json.get<std::string>(), {}};
  const Section in(json, file, name, {"file", "translate", "scale", "rotate_y"});
  PlacedFile entry{in.text("file"), {}};
  if (in.has("translate")) entry.placement.translate = in.vector("translate");
  if (in.has("rotate_y")) entry.placement.rotate_y = in.number("rotate_y");
  if (in.has("scale")) entry.placement.scale = in.number("scale");
  if (!(entry.placement.scale > 0.0)) in.fail("scale", "must be above 0");
  return entry;
}

}  // namespace

Camera read_camera(const Section& in, dvec3 scene_up) {
  Camera camera;
  camera.eye = in.vector("eye");
  camera.look_at = in.vector("look_at");
  camera.up = in.has("up") ? in.direction("up") : scene_up;
  if (in.has("fov")) camera.fov = in.number("fov");
  if (in.has("lens")) camera.lens = in.number("lens");
  if (in.has("focus")) camera.focus = in.number("focus");
  if (in.has("ortho_height")) camera.ortho_height = in.number("ortho_height");
  if (!(camera.fov > 0.0 && camera.fov < 180.0))
    in.fail("fov", "must be between 0 and 180 degrees");
  if (dvec3(camera.eye) == dvec3(camera.look_at))
    in.fail("look_at", "must not be the same place as the eye");
  try {
    make_view(camera, dvec3(0.0), 16, 9);
  } catch (const UsageError& error) {
    in.fail(error.what());
  }
  return camera;
}

std::string read_white_balance(const Section& in) {
  const Json& value = in.at("white_balance");
  const std::string text = value.is_string()   ? value.get<std::string>()
                           : value.is_number() ? value.dump()
                                               : "";
  if (!white_balance_in(text))
    in.fail("white_balance",
            "must be " + std::string(kWhiteBalances) + ", not " + Section::kind_of(value));
  return text;
}

std::string read_light(const Section& in) {
  const std::string name = in.text("light");
  try {
    require_known("light", {name}, light_names());
  } catch (const UsageError& error) {
    in.fail("light", error.what());
  }
  return name;
}

Json read_scene_json(const std::string& path) {
  const std::vector<u8> bytes = read_maybe_gzip(path);
  return parse_json({bytes.begin(), bytes.end()}, path, /*comments=*/true);
}

StatedScene stated_scene(const Json& json, const std::string& path, u32 frame) {
  const Section in(json, path, "",
                   {"meshes", "camera", "sun", "sky", "up", "shading", "exposure", "white_balance",
                    "light", "crease_angle"});
  StatedScene out;
  if (in.has("crease_angle")) {
    const double angle = in.number("crease_angle");
    if (!(angle >= 0.0 && angle <= 180.0))
      in.fail("crease_angle", "must be between 0 and 180 degrees");
    out.crease_angle = angle;
  }
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  SceneData& stated = out.settings;
  if (in.has("up")) stated.up = in.direction("up");
  if (in.has("camera")) {
    const Json camera = in_frame(in.at("camera"), path, "camera", frame);
    stated.camera = read_camera(Section(camera, path, "camera", kCameraKeys), up_of(stated));
  }
  if (in.has("sun")) {
    const Json sun = in_frame(in.at("sun"), path, "sun", frame);
    stated.sun = read_sun(Section(sun, path, "sun", {"direction", "color", "strength"}));
  }
  if (in.has("sky"))
    stated.sky = read_sky(Section(in.at("sky"), path, "sky",
                                  {"file", "turn", "zenith", "horizon", "ground", "strength"}),
                          directory);
  if (in.has("shading")) stated.shading = in.text("shading");
  if (in.has("exposure")) stated.exposure = in.amount("exposure", kMostLight);
  if (in.has("white_balance")) stated.white_balance = read_white_balance(in);
  if (in.has("light")) stated.light = read_light(in);

  const Json& meshes = in.at("meshes");
  if (!meshes.is_array() || meshes.empty())
    in.fail("meshes", "must be a list of at least one mesh file");
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const std::string name = "meshes[" + std::to_string(i) + "]";
    PlacedFile entry = read_mesh_entry(in_frame(meshes[i], path, name, frame), path, name);
    entry.file = (directory / entry.file).string();
    out.meshes.push_back(std::move(entry));
    out.moves.push_back(has_keyframes(meshes[i]));
  }
  return out;
}

std::vector<PlacedScene> load_parts(const StatedScene& stated, const std::string& path,
                                    LoadOptions options) {
  if (!options.crease_angle) options.crease_angle = stated.crease_angle;
  std::vector<PlacedScene> parts;
  for (std::size_t i = 0; i < stated.meshes.size(); ++i) {
    const PlacedFile& mesh = stated.meshes[i];
    try {
      parts.push_back({load_mesh(mesh.file, options), mesh.placement, stated.moves[i]});
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  }
  return parts;
}

SceneData joined_scene(const StatedScene& stated, std::vector<PlacedScene> parts,
                       const std::string& path) {
  const bool has_views = std::any_of(parts.begin(), parts.end(), [](const PlacedScene& part) {
    return part.scene.camera || is_stated(part.scene.sun);
  });
  SceneData scene;
  try {
    scene = merged(std::move(parts));
    scene.mesh.require_valid();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  const SceneData& settings = stated.settings;
  scene.files.insert(scene.files.begin(), path);
  scene.name = one_line(std::filesystem::path(path).stem().string());
  scene.up = settings.up;
  // A single mesh that stays in its place keeps the camera and the sun of its file.
  if (settings.camera) scene.camera = settings.camera;
  if (is_stated(settings.sun)) scene.sun = settings.sun;
  if (has_views && !scene.camera && !is_stated(scene.sun))
    scene.warnings.push_back(
        path +
        ": cameras and suns of meshes are used only if one mesh stays in its place; ignored");
  scene.sky = settings.sky;
  scene.shading = settings.shading;
  scene.exposure = settings.exposure;
  scene.white_balance = settings.white_balance;
  scene.light = settings.light;
  return scene;
}

SceneData load_scene_file(const std::string& path, const LoadOptions& options) {
  // Everything that is cheap to check is checked before the meshes are loaded.
  const StatedScene stated = stated_scene(read_scene_json(path), path, options.frame);
  return joined_scene(stated, load_parts(stated, path, options), path);
}

}  // namespace ballotcast::detail
