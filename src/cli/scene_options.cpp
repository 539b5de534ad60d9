#include "cli/scene_options.hpp"

#include <algorithm>

#include "backends/pack/packed_tree.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/tables.hpp"
#include "cli/output.hpp"
#include "scene/assemble.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/light/light.hpp"
#include "support/files/files.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

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

/// A setter of the up direction of both the scene and the camera.
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

Option scene_file_option(SceneOptions& options, const std::string& group) {
  return {group,
          "SCENE",
          "FILE",
          "",
          "an " + kinds_of_scenes("or") + " scene file; without one, the built-in scene",
          set_text(options.scene.file)};
}

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

Option time_option(SceneOptions& c, const std::string& group, const std::string& help) {
  return {group, "--time", "SECONDS", "", help, set_number(c.scene.time, 0.0, kMostSeconds)};
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
    throw UsageError("--cache-size is that of --cache DIR, which is not given");
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

namespace {

constexpr u64 kLargestFile = u64{1} << 16;

/// Parses numbers that are separated by commas or blanks. Absent if any of them is not a number.
std::optional<std::vector<double>> numbers_in(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '\t' || c == '\n' || c == '\r') c = ' ';
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(' '); at != text.npos;
       at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const auto number = finite_number(std::string_view(text).substr(at, end - at));
    if (!number) return std::nullopt;
    numbers.push_back(*number + 0.0);
    at = end;
  }
  return numbers;
}

/// Parses the numbers of an option: a list, or the name of a file with a list.
std::vector<double> numbers_of(const std::string& option, const std::string& text) {
  if (const auto numbers = numbers_in(text); numbers && !numbers->empty()) return *numbers;
  std::vector<u8> bytes;
  try {
    bytes = read_file(text, kLargestFile);
  } catch (const InputError& error) {
    throw UsageError(option + " needs numbers with commas between them, or a file of numbers; " +
                     error.what());
  }
  const auto numbers = numbers_in({bytes.begin(), bytes.end()});
  if (!numbers) throw InputError(text + ": no file of numbers, as " + option + " needs it");
  return *numbers;
}

/// A setter of a list of numbers, from the option's text or from a file.
Setter set_number_list(std::vector<double>& target) {
  return [&target](const std::string& name, const std::string& text) {
    target = numbers_of(name, text);
  };
}

/// Returns fx, fy, cx and cy, from these four numbers or from the nine numbers of a matrix.
std::vector<double> intrinsics_of(const std::string& option, const std::vector<double>& n) {
  if (n.size() == 4) return n;
  if (n.size() != 9)
    throw UsageError(option + " needs 4 numbers, fx,fy,cx,cy, or the 9 of a matrix, not " +
                     std::to_string(n.size()));
  const bool plain = n[3] == 0.0 && n[6] == 0.0 && n[7] == 0.0 && n[8] == 1.0;
  if (!plain || n[1] != 0.0)
    throw UsageError(option +
                     (plain ? ": a skew (the second number, " + shortest(n[1]) + ") can't be drawn"
                            : ": the matrix must be fx,0,cx,0,fy,cy,0,0,1"));
  return {n[0], n[4], n[2], n[5]};
}

/// The rows of a table as text: "name: summary; name: summary".
std::string in_words(const std::vector<Choice>& rows) {
  std::string words;
  for (const Choice& row : rows)
    words += (words.empty() ? "" : "; ") + row.name + ": " + row.summary;
  return words;
}

}  // namespace

CameraSettings CameraForms::over(CameraSettings camera, u32 width, u32 height) const {
  if (!projection.empty() || !distortion.empty())
    set_projection(camera, projection.empty() ? "perspective" : projection, distortion);
  if (!intrinsics.empty()) {
    if (camera.fov || camera.ortho_height)
      throw UsageError("--intrinsics can't be used together with --fov or --ortho");
    set_intrinsics(camera,
                   {intrinsics[0], intrinsics[1], intrinsics[2], intrinsics[3], width, height});
  }
  if (pose.empty() && !(convention.empty() && pose_is.empty()))
    throw UsageError(std::string(convention.empty() ? "--pose-is" : "--convention") +
                     " is that of --pose, which is not given");
  if (!pose.empty()) {
    if (camera.eye || camera.look_at)
      throw UsageError("--pose can't be used together with --eye or --look-at");
    set_pose(camera, pose, convention.empty() ? "opencv" : convention,
             pose_is.empty() ? "camera-to-world" : pose_is);
  }
  return camera;
}

std::vector<Option> camera_form_options(CameraForms& forms, const std::string& group) {
  // These are static because the options keep references to the names.
  static const std::vector<Choice> conventions = pose_conventions(), kinds = projections();
  return {
      {group, "--intrinsics", "LIST", "",
       "camera matrix in pixels of this picture: fx,fy,cx,cy, or its 9 numbers, or a file of them; "
       "as in OpenCV, 0,0 is the centre of the top left pixel",
       [&forms](const std::string& name, const std::string& text) {
         forms.intrinsics = intrinsics_of(name, numbers_of(name, text));
       }},
      {group, "--pose", "LIST", "",
       "pose in place of --eye and --look-at: the 12 or 16 numbers, row by row, of the matrix from "
       "the camera's coordinates to the world's, or a file of them",
       set_number_list(forms.pose)},
      {group, "--convention", "NAME", "opencv",
       "which way the camera's axes point: " + in_words(conventions),
       set_name(forms.convention, "convention", names_of(conventions))},
      {group, "--pose-is", "NAME", "camera-to-world",
       "what --pose leads from and to: camera-to-world; or world-to-camera, as of COLMAP and "
       "OpenCV",
       set_name(forms.pose_is, "direction of a pose", {"camera-to-world", "world-to-camera"})},
      {group, "--projection", "NAME", "perspective",
       "how directions become places in the picture: " + in_words(kinds),
       set_name(forms.projection, "projection", names_of(kinds))},
      {group, "--distortion", "LIST", "",
       "OpenCV's coefficients: k1,k2,p1,p2,k3,k4,k5,k6 (or fewer), of a fisheye k1,k2,k3,k4; or a "
       "file of them",
       set_number_list(forms.distortion)},
  };
}

}  // namespace ballotcast::detail
