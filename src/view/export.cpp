#include "view/export.hpp"

#include <filesystem>

#include "ballotcast/error.hpp"
#include "compare/suite/manifest.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "scene/camera/camera_numbers.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/json/scene_file.hpp"
#include "support/files/files.hpp"
#include "support/json.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

/// `value` as the shortest decimal number that is read back as the same double.
std::string exact(double value) { return Json(value).dump(); }
std::string exact(const Vec3d& v) { return exact(v.x) + "," + exact(v.y) + "," + exact(v.z); }

std::string exact(const std::vector<double>& numbers) {
  std::string list;
  for (const double number : numbers) list += (list.empty() ? "" : ",") + exact(number);
  return list;
}

double distance_of(const Camera& camera) {
  return glm::distance(dvec3(camera.eye), dvec3(camera.look_at));
}

/// The distortion coefficients of the camera's projection.
std::vector<double> distortion_of(const Camera& camera) {
  return {camera.distortion.begin(),
          camera.distortion.begin() + (camera.projection == Projection::fisheye ? 4 : 8)};
}

/// Calls add(option, value) for the field of view, for the projection, and for the part of the
/// image plane that the picture shows. The last two are added only if the command line has given
/// them; else they come from the scene's file.
template <class Add>
void add_projection(const Add& add, const CameraSettings& settings_given, const Camera& camera,
                    const RenderSettings& settings) {
  const bool bends = camera.distortion != Distortion{};
  const bool has_matrix =
      settings_given.pixel_aspect || settings_given.shift_x || settings_given.shift_y;
  if (settings_given.projection &&
      (!has_matrix || bends || camera.projection != Projection::perspective))
    add("--projection", name_of(camera.projection));
  if (settings_given.projection && bends) add("--distortion", exact(distortion_of(camera)));
  if (camera.ortho_height > 0.0) {
    add("--fov", exact(camera.fov));
    add("--ortho", exact(camera.ortho_height));
  } else if (has_matrix && camera.projection != Projection::panorama) {
    const Intrinsics m = intrinsics_of(camera, settings.width, settings.height);
    add("--intrinsics", exact(std::vector<double>{m.fx, m.fy, m.cx, m.cy}));
  } else {
    add("--fov", exact(camera.fov));
  }
}

/// The JSON of a camera in scene files and suites.
Json camera_as_given(const Camera& camera) {
  Json json = {{"eye", json_of(camera.eye)},
               {"look_at", json_of(camera.look_at)},
               {"up", json_of(camera.up)},
               {"fov", camera.fov}};  // written even if it is the default
  for (const CameraNumber& number : kCameraNumbers)
    if (camera.*number.value != Camera{}.*number.value) json[number.key] = camera.*number.value;
  if (camera.projection != Projection::perspective) json["projection"] = name_of(camera.projection);
  if (camera.distortion != Distortion{}) json["distortion"] = distortion_of(camera);
  return json;
}

/// Throws UsageError if a page has sent the scene's files, because no `what` ("command" or "file")
/// can name such files.
void require_file(const SceneOnCommandLine& scene, const char* what) {
  if (scene.uploaded)
    throw UsageError(std::string(what) +
                     " needs files that stay; start `ballotcast view` with the scene's file");
  if (!scene.words.empty())
    throw UsageError(std::string(what) + " can't hold the option " + scene.words.front() +
                     " with which the viewer was started; put that into a scene file");
}

void require_first_frame(const SceneOnCommandLine& scene, const PictureRequest& request,
                         const char* what) {
  if (scene.animated)
    throw UsageError(std::string(what) + " can't hold the time of an animation; take the command");
  if (request.frame > 0)
    throw UsageError(std::string(what) + " shows frame 0 of a scene, not frame " +
                     std::to_string(request.frame));
}

bool is_lit(const RenderSettings& settings) {
  return shading_called(settings.shading).encoding == Encoding::light;
}

/// Calls visit(row) for each setting that changes the picture.
template <class Visit>
void for_each_given(const RenderSettings& settings, const Visit& visit) {
  for (const PictureSetting& row : picture_settings()) {
    if (!row.text(settings).empty() && (!row.of_light || is_lit(settings))) visit(row);
  }
}

/// Calls visit(row, text) for each setting of the tree that the request gives.
template <class Visit>
void for_each_of_tree(const PictureRequest& request, const Visit& visit) {
  for (const CastSetting& row : cast_settings())
    if (const auto chosen = request.machine_and_tree.find(row.key);
        row.part == CastPart::tree && chosen != request.machine_and_tree.end())
      visit(row, chosen->second);
}

}  // namespace

std::string render_command_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                               const RenderSettings& settings) {
  const Camera camera = complete(settings.camera);
  if (scene.uploaded)
    throw UsageError(
        "a command needs files that stay; start `ballotcast view` with the scene's file");
  std::string line = shell_quoted(scene.program) + " render";
  const auto add = [&](const char* option, const std::string& value) {
    line += " " + std::string(option) + " " + shell_quoted(value);
  };
  if (!scene.file.empty())
    line += " " + shell_quoted((scene.file.front() == '-' ? "./" : "") + scene.file);
  for (const std::string& word : scene.words) line += " " + shell_quoted(word);
  // A camera with another up direction is given as a pose, because --up would also turn the sky.
  const bool is_pose = !(camera.up == scene.up);
  if (is_pose) {
    add("--pose", exact(pose_of(camera)));
  } else {
    add("--eye", exact(camera.eye));
    add("--look-at", exact(camera.look_at));
  }
  add_projection(add, request.settings.camera, camera, settings);
  if (camera.lens > 0.0) add("--lens", exact(camera.lens));
  if (camera.lens > 0.0 && (camera.focus > 0.0 || is_pose))
    add("--focus", exact(camera.focus > 0.0 ? camera.focus : distance_of(camera)));
  add("--size", std::to_string(settings.width) + "x" + std::to_string(settings.height));
  for_each_given(settings, [&](const PictureSetting& row) {
    const std::string text = row.text(settings);
    if (text != row.preset || row.name == "bounces")
      add(("--" + std::string(row.name)).c_str(), text);
  });
  for_each_of_tree(request, [&](const CastSetting& row, const std::string& text) {
    add(("--" + std::string(row.name)).c_str(), text);
  });
  const bool is_frame = request.frame > 0 || scene.animated;
  if (is_frame) {
    const std::string number = std::to_string(request.frame);
    add("--frames", number + ".." + number);
  }
  add("-o", is_frame ? "view-%d.png" : "view.png");
  return line;
}

std::string scene_file_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                           const RenderSettings& settings) {
  require_file(scene, "a scene file");
  require_first_frame(scene, request, "a scene file");
  if (scene.file.empty()) throw UsageError("the built-in scene has no file that can be named");
  Json json = Json::object();
  if (lowered(scene.file).ends_with(kSceneFileSuffix))
    json = read_scene_json(scene.file);
  else
    json["meshes"] = Json::array({fs::path(scene.file).filename().string()});
  json["camera"] = camera_as_given(complete(settings.camera));
  for_each_given(settings, [&](const PictureSetting& row) {
    if (row.is_in_scene_files) json[std::string(row.key)] = json_of(row, settings);
  });
  return laid_out(json) + "\n";
}

Json suite_case_for(const SceneOnCommandLine& scene, const PictureRequest& request,
                    const RenderSettings& settings, const std::string& name,
                    const std::string& suite) {
  require_file(scene, "a case");
  require_first_frame(scene, request, "a case");
  if (settings.shading == "visits")
    for_each_of_tree(request, [](const CastSetting&, const std::string&) {
      throw UsageError("a case can't state the tree, on which visits depend");
    });
  Json json = {{"name", name}};
  if (!scene.file.empty()) {
    const fs::path folder = fs::path(absolute_path(suite)).parent_path();
    json["scene"] = fs::path(absolute_path(scene.file)).lexically_relative(folder).string();
  }
  json["camera"] = camera_as_given(complete(settings.camera));
  json["size"] = {settings.width, settings.height};
  for_each_given(settings, [&](const PictureSetting& row) {
    if (row.name != "fireflies" || row.text(settings) != row.preset)
      json[std::string(row.key)] = json_of(row, settings);
  });
  return json;
}

void add_to_suite(const std::string& path, const Json& entry) {
  Json document = {{"format", "ballotcast suite"}, {"cases", Json::array()}};
  if (fs::exists(path)) document = load_suite(path).document;
  document["cases"].push_back(entry);
  const std::string text = laid_out(document) + "\n";
  suite_of(text, path);  // throws InputError if the new text is not a valid suite
  write_text_atomically(path, text);
}

}  // namespace ballotcast::detail
