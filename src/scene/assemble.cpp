#include "scene/assemble.hpp"

#include <cmath>
#include <string>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/json/scene_file.hpp"
#include "scene/light/light.hpp"
#include "scene/pack/packed_scene.hpp"
#include "scene/scene_data.hpp"
#include "support/float_environment.hpp"
#include "support/profile.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

// True if a number does not overflow when it becomes a float.
bool fits_float(double number) { return std::abs(number) <= 1e30; }
bool fits_float(const Vec3d& v) { return fits_float(v.x) && fits_float(v.y) && fits_float(v.z); }

[[noreturn]] void refuse(const std::string& setting, const std::string& why) {
  throw UsageError(setting + " must " + why);
}

// Overloads that check a part of SunSettings or SkySettings. The type tells what the part is: Vec3d
// is a direction, Vec3f a colour, float a strength, double an angle.
void require_part(const std::string& setting, const std::optional<Vec3d>& v) {
  if (v && (!fits_float(*v) || *v == Vec3d(0.0, 0.0, 0.0)))
    refuse(setting, "be three finite numbers, not all 0");
}
void require_part(const std::string& setting, const std::optional<Vec3f>& v) {
  if (v && !(v->x >= 0.0f && v->y >= 0.0f && v->z >= 0.0f &&
             fits_float(Vec3d(double{v->x}, double{v->y}, double{v->z}))))
    refuse(setting, "be three finite numbers of at least 0");
}
void require_part(const std::string& setting, const std::optional<float>& number) {
  if (number && !(*number >= 0.0f && *number <= float{kMostLight}))
    refuse(setting, "be from 0 to " + std::to_string(kMostLight));
}
void require_part(const std::string& setting, const std::optional<double>& angle) {
  if (angle && !fits_float(*angle)) refuse(setting, "be a finite number");
}
void require_part(const std::string&, const std::optional<std::string>&) {}

}  // namespace

void require_sensible(const SceneRequest& request) {
  for_each_part(request.sun, [&](const std::string& key, auto part, auto) {
    require_part("sun." + key, request.sun.*part);
  });
  for_each_part(request.sky, [&](const std::string& key, auto part, auto) {
    require_part("sky." + key, request.sky.*part);
  });
  if (request.sky.file && (request.sky.zenith || request.sky.horizon || request.sky.ground))
    refuse("the sky", "be a picture or three colours, not both");
  require_part("the up direction", request.up);
  require_part("exposure", request.exposure);
  if (request.crease_angle && !(*request.crease_angle >= 0.0 && *request.crease_angle <= 180.0))
    refuse("crease_angle", "be from 0 to 180");
  if (request.time && !(*request.time >= 0.0 && *request.time <= kMostSeconds))
    refuse("the time", "be from 0 to " + std::to_string(kMostSeconds) + " seconds");
  if (request.time && request.frame) refuse("a moment", "be a frame or a time, not both");
  if (request.frames_per_second < 1 || request.frames_per_second > kMostFramesPerSecond)
    refuse("the frames per second", "be from 1 to " + std::to_string(kMostFramesPerSecond));
  for (const PlacedFile& mesh : request.meshes) {
    const Placement& place = mesh.placement;
    if (!(place.scale > 0.0 && fits_float(place.scale)))
      refuse(mesh.file + ": the scale", "be above 0");
    if (!fits_float(place.rotate_y) || !fits_float(place.translate))
      refuse(mesh.file + ": the placement", "consist of finite numbers");
  }
}

Moment moment_of(const SceneRequest& request) {
  const double rate = request.frames_per_second;
  if (request.time) return {*request.time * rate, *request.time};
  if (!request.frame) return {};
  const double frame = *request.frame;
  return {frame, frame / rate};
}

LoadOptions options_for_files(const SceneRequest& request) {
  return {request.crease_angle, moment_of(request), request.animation};
}

namespace {

/// Loads a packed scene. Its normals and positions are final, so options that would change them are
/// errors.
SceneData load_packed(const std::string& path, const LoadOptions& options) {
  const ProfileSpan span("load", path);
  if (options.crease_angle)
    throw UsageError(path + ": a packed scene has its normals; give the crease angle when packing");
  if (options.moment.seconds)
    throw UsageError(
        path + ": a packed scene stands still; state the time of the files that it was made of");
  return load_packed_scene(path);
}

/// Loads a file of any known kind, except packed scenes.
SceneData load_file(const std::string& path, const LoadOptions& options) {
  const ProfileSpan span("load", path);
  return is_scene_file(path) ? load_scene_file(path, options) : load_mesh(path, options);
}

/// Loads a mesh that is added to a scene. If its file has settings, they are ignored with a
/// warning. Sun and sky of the file are used only if `gives_light` is true.
SceneData load_added_mesh(const std::string& path, bool gives_light, const LoadOptions& options) {
  SceneData added = load_file(path, options);
  std::string ignored;
  const auto note = [&](bool was_given, const char* name) {
    if (was_given) ignored += (ignored.empty() ? "" : ", ") + std::string(name);
  };
  note(added.camera.has_value(), "camera");
  note(added.up.has_value(), "up");
  note(!gives_light && is_given(added.sun), "sun");
  note(!gives_light && is_given(added.sky), "sky");
  SceneData::for_each_picture_setting(
      [&](const char* key, auto member) { note((added.*member).has_value(), key); });
  if (!ignored.empty())
    added.warnings.push_back(path + ": settings of an added mesh are ignored: " + ignored);
  return added;
}

/// Adds meshes to `scene`. If `is_scene` is false, there is no scene yet: then the meshes become
/// the scene, with the sun and sky of the first mesh's file.
void add_meshes(SceneData& scene, bool is_scene, const std::vector<PlacedFile>& meshes,
                const LoadOptions& options) {
  std::vector<PlacedScene> scenes;
  if (is_scene) scenes.push_back({scene, {}});
  for (const PlacedFile& mesh : meshes)
    scenes.push_back({load_added_mesh(mesh.file, scenes.empty(), options), mesh.placement});
  if (!is_scene) {
    const SceneData& first = scenes.front().scene;
    scene.name = first.name;
    scene.sun = first.sun;
    scene.sky = first.sky;
  }
  SceneData all;
  try {
    all = merged(std::move(scenes));
    all.mesh.require_valid();
  } catch (const InputError& error) {
    throw UsageError(std::string("added mesh: ") + error.what());
  }
  scene.mesh = std::move(all.mesh);
  scene.motion = nullptr;
  scene.parts = std::move(all.parts);
  scene.instances = std::move(all.instances);
  scene.worlds = std::move(all.worlds);
  scene.masks = std::move(all.masks);
  scene.named_parts = std::move(all.named_parts);
  scene.origin = all.origin;
  scene.materials = std::move(all.materials);
  scene.material_names = std::move(all.material_names);
  scene.single_sided = all.single_sided;
  scene.textures = std::move(all.textures);
  scene.texture_names = std::move(all.texture_names);
  scene.animations = std::move(all.animations);
  scene.files = std::move(all.files);
  scene.unread_files = std::move(all.unread_files);
  scene.missed_files = std::move(all.missed_files);
  scene.warnings = std::move(all.warnings);
}

/// Options for reading the files of a request. Meshes that are merged can't become instances.
LoadOptions options_of(const SceneRequest& request) {
  const LoadOptions options = options_for_files(request);
  const std::vector<PlacedFile>& meshes = request.meshes;
  const bool one_stays =
      request.file.empty() && meshes.size() == 1 && is_identity(meshes[0].placement);
  return meshes.empty() || one_stays ? options : options.without_instances();
}

}  // namespace

void warn_of_size(SceneData& scene) {
  constexpr float kSmallest = 0x1p-40f;
  const Aabb box = scene.bounds();
  if (box.empty()) return;
  const float size = largest_magnitude(box.extent());
  if (size > 0.0f && size < kSmallest)
    scene.warnings.push_back(scene.place() +
                             ": the scene is smaller than 1e-12, so rays may miss it; scale it up");
}

SceneData assemble(const SceneRequest& request, const OnWarnings& on_warnings) {
  const DefaultFloats floats;
  require_sensible(request);
  const LoadOptions options = options_of(request);
  const bool builtin = request.file.empty() && request.meshes.empty();
  const bool packed = is_packed_name(request.file);
  SceneData scene = builtin                ? builtin_scene_data()
                    : request.file.empty() ? SceneData{}
                    : packed               ? load_packed(request.file, options)
                                           : load_file(request.file, options);
  if (request.time && request.meshes.empty() && !scene.motion && !is_scene_file(request.file))
    throw UsageError("time: " + (builtin ? "the built-in scene" : "'" + request.file + "'") +
                     " has no animation to play");
  if (!request.meshes.empty()) add_meshes(scene, !request.file.empty(), request.meshes, options);
  // The warnings about the meshes of a packed file are already in the file.
  if (!builtin && !(packed && request.meshes.empty())) warn_of_size(scene);
  apply_settings(request, scene, on_warnings);
  return scene;
}

void apply_settings(const SceneRequest& request, SceneData& scene, const OnWarnings& on_warnings) {
  const DefaultFloats floats;
  require_sensible(request);
  override_with(scene.sun, request.sun);
  override_with(scene.sky, request.sky);
  const bool has_its_sky =
      scene.packed && !request.sky.file && (scene.sky.file || !request.sky.turn);
  if (!has_its_sky) load_sky_map(scene);
  if (request.up) scene.up = *request.up;
  if (request.exposure) scene.exposure = request.exposure;

  if (on_warnings) on_warnings(scene.warnings);
  if (request.strict && !scene.warnings.empty())
    throw InputError(scene.place() + ": " + counted(scene.warnings.size(), "warning") +
                         " about the scene" + (scene.files.size() > 1 ? " and its files" : "") +
                         ", which strict loading makes an error",
                     "strict");
}

}  // namespace ballotcast::detail
