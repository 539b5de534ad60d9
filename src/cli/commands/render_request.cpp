#include "cli/commands/render_request.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "ballotcast/error.hpp"
#include "cli/commands/picture_series.hpp"
#include "cli/output.hpp"
#include "image/linear/linear_files.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

bool is_one_of(const std::string& name, const std::vector<std::string_view>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_unused(const std::string& name, const RenderSettings& settings, const SceneData& scene) {
  const bool is_light = std::ranges::any_of(picture_settings(),
                                            [&](const PictureSetting& row) {
                                              return row.of_light && name.substr(2) == row.name;
                                            }) ||
                        name.starts_with("--sun-") || name.starts_with("--sky");
  if (is_light && !shading_called(settings.shading).soft_light()) return true;
  if (name == "--fireflies") return settings.smooth == Smoothing::off;
  if (is_one_of(name, {"--sky-zenith", "--sky-horizon", "--sky-ground"}))
    return !scene.sky_map.pixels.empty();
  if (name == "--fov")
    return settings.camera.ortho_height.value_or(0.0) > 0.0 ||
           settings.camera.projection == Projection::panorama;
  return false;
}

/// Returns the options of `table`. When one of them is set, its name is also added to
/// `given_options`.
std::vector<Option> noting(std::vector<Option> table, std::vector<std::string>& given_options) {
  for (Option& row : table)
    row.set = [set = row.set, &given_options](const std::string& name, const std::string& text) {
      set(name, text);
      if (!std::count(given_options.begin(), given_options.end(), name))
        given_options.push_back(name);
    };
  return table;
}

}  // namespace

std::vector<Option> render_options(RenderRequest& r) {
  const std::string files = "Files", picture = "Picture", motion = "Motion",
                    machine = "Machine (changes no pixel, except of --shade visits)";
  std::vector<Option> table = {
      scene_file_option(r.scene, files),
      {files, "-o,--output", "FILE", r.output,
       "the picture: .png; or with linear numbers .pfm, .hdr or .exr; - is a PNG on stdout",
       set_output(r.output)},
      {files, "--outputs", "LIST", std::string(kColourOutput),
       "what to write, with commas: " + joined(names_of(output_table())) +
           "; all into one .exr, else files beside -o like picture.depth.pfm; "
           "share/doc/ballotcast/docs/outputs.md says what each holds",
       set_texts(r.outputs)},
      {files, "--hits", "FILE", "",
       "write every camera ray's hit to FILE; share/doc/ballotcast/docs/hits.md has the format",
       set_output(r.hits)},
      {files, "--cameras", "PATH", "",
       "draw what each camera of a file sees: of transforms.json (NeRF), of COLMAP's cameras.txt "
       "and images.txt, or of a folder with them; then -o has a place for the name or the number "
       "of the camera, out/%s.png or out/%04d.png",
       set_text(r.cameras)},
      {files, "--camera", "NAME", "", "with --cameras: draw only this one", set_text(r.camera)},
      {files, "--json", "", "", "print a report as JSON", set_flag(r.json)},
      {files, "--timing", "", "", "show where the time went, as a chart (with --json on stderr)",
       set_flag(r.timing)},
      {files, "--profile", "FILE", "",
       "as --timing, and write when each thread and the GPU did what to FILE, a .json that "
       "ui.perfetto.dev and chrome://tracing show",
       set_text(r.profile)},
  };
  const std::vector<Option> of_motion = {
      {motion, "--frames", "A..B", "",
       "draw these frames: of keyframes in a .json scene, of animations in .gltf and .glb files; "
       "then -o has a place for the number, frame-%04d.png, or is a film, .mp4 or .gif (made by "
       "ffmpeg)",
       set_frames(r.frames)},
      time_option(r.scene, motion, "draw one picture of the scene as it is at this time")};
  table.insert(table.end(), of_motion.begin(), of_motion.end());
  for (Option& row : animation_options(r.scene, motion)) table.push_back(std::move(row));
  table.push_back({picture, "--size", "WxH",
                   std::to_string(r.settings.width) + "x" + std::to_string(r.settings.height),
                   "width and height in pixels", set_size(r.settings.width, r.settings.height)});
  for (const PictureSetting& row : picture_settings()) {
    // scene_options already has this option, among the lights
    if (row.name == "exposure") continue;
    table.push_back(
        {picture, "--" + std::string(row.name), std::string(row.value), row.preset, row.help,
         [&settings = r.settings, set = row.set](const std::string& name, const std::string& text) {
           set(settings, name, text);
         }});
  }
  for (Option& row : picture_scene_options(r.scene)) table.push_back(std::move(row));
  for (Option& row : cache_options(r.scene.cache, files)) table.push_back(std::move(row));
  for (const CastSetting& row : cast_settings())
    table.push_back(cast_option(machine, row.key, r.casting));
  return noting(std::move(table), r.given_options);
}

WantedOutputs wanted_outputs(const RenderRequest& r) { return WantedOutputs(r.outputs); }

RenderSettings picture_of(const RenderRequest& r) {
  RenderSettings settings = r.settings;
  settings.cast = r.casting.cast;
  settings.camera = r.scene.camera_for(settings.width, settings.height);
  if (wanted_outputs(r).has(kAlphaOutput))
    settings.background = background_with_alpha(settings.background);
  return settings;
}

namespace {

/// Throws UsageError or OutputError if one of the outputs can't be written.
void check_outputs(const RenderRequest& r) {
  const WantedOutputs wanted = wanted_outputs(r);
  if (wanted.only_colour()) return;
  if (is_movie_name(r.output))
    throw UsageError("--outputs: a film shows the colour only; write pictures");
  if (is_stdout(r.output))
    throw UsageError("--outputs can't be used with -o -: standard output gets a PNG");
  require_holders(wanted, r.output);
  if (!wanted.draws() && !r.hits.empty())
    throw UsageError("--hits needs the output colour: it has the hits of its samples");
  if (r.is_series()) return;
  for (const std::string& path : paths_of(wanted, r.output)) {
    if (path == r.output) continue;
    if (!r.hits.empty() && same_file(path, r.hits))
      throw UsageError("--outputs and --hits name the same file '" + path + "'");
    require_writable(path);
  }
}

}  // namespace

void check(const RenderRequest& r) {
  const bool is_movie = is_movie_name(r.output);
  if (is_movie && !r.frames)
    throw UsageError("--output '" + r.output + "': a film needs --frames A..B");
  const std::optional<double> time = r.scene.scene.time;
  if (r.frames && time) throw UsageError("--frames and --time can't be used together");
  for (const char* option : {"--fps", "--animation"})
    if (!r.frames && !time && r.gives(option))
      throw UsageError(std::string(option) + " needs --frames A..B or --time SECONDS");
  if (is_movie)
    require_movie("--output", r.output, r.scene.scene.frames_per_second);
  else
    require_name(r.is_series() ? kDrawnFrames : kDrawnPicture, "--output", r.output);
  if (const LinearFormat* format = linear_format_of(r.output))
    require_built_in(*format, "--output '" + r.output + "'");
  if (!r.hits.empty() && same_file(r.output, r.hits))
    throw UsageError("--output and --hits name the same file '" + r.hits + "'");
  for (const std::string& path : {r.is_series() ? std::string() : r.output, r.hits}) {
    if (path.empty()) continue;
    const std::string& scene = r.scene.scene.file;
    if (!scene.empty() && same_file(path, scene))
      throw UsageError("'" + path + "' is the scene; writing to it would destroy it");
    require_no_scene_name(path);
    if (is_stdout(path) && joined_processes())
      throw UsageError("'" + path + "': several processes can't write to stdout; name a file");
    if (r.json && is_stdout(path)) throw UsageError("--json and '" + path + "' can't share stdout");
    if (is_stdout(path) && ::isatty(STDOUT_FILENO) != 0)
      throw UsageError(
          "'" + path +
          "' is a terminal, which can't show this file; name a file, or redirect stdout (>FILE)");
    require_writable(path);
  }
  if (!r.profile.empty()) {
    for (const std::string& other : {r.output, r.hits, r.scene.scene.file})
      if (!other.empty() && same_file(r.profile, other))
        throw UsageError("--profile: '" + other + "' is another file of this command");
    if (!may_become_profile(r.profile))
      throw UsageError("--profile: '" + r.profile +
                       "' exists and is no profile; name another file, or remove it first");
    require_writable(r.profile);
  }
  check_outputs(r);
  picture_of(r);
  CastChoice{r.casting.cast};  // throws for unknown names
}

std::string unused_options(const std::vector<std::string>& given_options,
                           const RenderSettings& settings, const SceneData& scene) {
  std::vector<std::string_view> unused;
  for (const std::string& name : given_options)
    if (is_unused(name, settings, scene)) unused.push_back(name);
  return joined(unused);
}

namespace {

constexpr const char* kCameras = "--cameras";

}  // namespace

void require_cameras_alone(const std::string& cameras, const std::string& camera,
                           FunctionRef<bool(const char*)> gives) {
  if (cameras.empty()) {
    if (!camera.empty()) throw UsageError("--camera is one of --cameras PATH, which is not given");
    return;
  }
  for (const char* other :
       {"--eye", "--look-at", "--fov", "--ortho", "--intrinsics", "--pose", "--convention",
        "--pose-is", "--projection", "--distortion", "--frames"})
    if (gives(other))
      throw UsageError(std::string(kCameras) + " and " + other + " can't be used together");
}

std::size_t index_of_camera(const std::vector<FileCamera>& cameras, const std::string& name,
                            const std::string& path) {
  std::vector<std::size_t> found;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    names.push_back(cameras[i].name);
    if (cameras[i].image == name || cameras[i].name == name) found.push_back(i);
  }
  if (found.size() == 1) return found[0];
  const std::string similar = nearest(name, names);
  throw UsageError("--camera '" + name +
                   "': " + (found.empty() ? "no camera of " : "several cameras of ") +
                   one_line(path) + (found.empty() ? " is called so" : " are called so") +
                   (found.empty() && !similar.empty() ? "; is it " + one_line(similar) + "?" : ""));
}

CameraSettings with_lens_of(const FileCamera& camera, const CameraSettings& options) {
  CameraSettings out = camera.settings();
  out.lens = options.lens;
  out.focus = options.focus;
  return out;
}

RenderRequest with_cameras(const RenderRequest& request) {
  require_cameras_alone(request.cameras, request.camera,
                        [&](const char* option) { return request.gives(option); });
  if (request.cameras.empty()) return request;
  const bool has_size = request.gives("--size");
  const RenderSettings& settings = request.settings;
  std::vector<FileCamera> cameras =
      read_cameras(request.cameras, has_size ? settings.width : 0, has_size ? settings.height : 0);
  RenderRequest r = request;
  if (request.camera.empty()) {
    r.several = std::move(cameras);
    return r;
  }
  const std::size_t index = index_of_camera(cameras, request.camera, request.cameras);
  r = through_camera(r, cameras[index]);
  if (r.output.find('%') != r.output.npos)
    r.output =
        numbered_name(r.output, kCameras, true).of(static_cast<u32>(index), cameras[index].name);
  return r;
}

RenderRequest through_camera(const RenderRequest& request, const FileCamera& camera) {
  RenderRequest r = request;
  r.scene.camera = with_lens_of(camera, r.scene.camera);
  if (!r.gives("--size")) {
    r.settings.width = camera.intrinsics.width;
    r.settings.height = camera.intrinsics.height;
  }
  return r;
}

NumberedName name_for_cameras(const RenderRequest& r) {
  const NumberedName name = numbered_name(r.output, kCameras, true);
  std::map<std::string, std::size_t> owners;
  for (std::size_t i = 0; i < r.several.size(); ++i) {
    const std::string path = name.of(static_cast<u32>(i), r.several[i].name);
    const auto [owner, is_new] = owners.emplace(path, i);
    if (!is_new)
      throw UsageError("--output '" + r.output + "': the cameras '" +
                       one_line(r.several[owner->second].image) + "' and '" +
                       one_line(r.several[i].image) + "' would both be written to '" +
                       one_line(path) + "'; number them: %04d");
    if (i == 0 || i + 1 == r.several.size()) require_writable(path);
  }
  if (is_stdout(r.output)) throw UsageError("--cameras: pictures can't go to stdout");
  return name;
}

}  // namespace ballotcast::detail
