// The request of `render`, and the steps that carry it out.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/frame.hpp"
#include "cli/commands/picture_series.hpp"
#include "cli/option_table.hpp"
#include "cli/scene_options.hpp"
#include "render/outputs/outputs.hpp"
#include "scene/scene_data.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

struct BackendInfo;
struct RenderTimes;

/// The values of the options of `render`.
struct RenderRequest {
  SceneOptions scene;
  RenderSettings settings;
  CastSettings casting;
  std::string output = "ballotcast.png";
  std::string hits, profile;         // names of files; "" if they are not written
  std::vector<std::string> outputs;  // names of outputs; if empty, only the colour
  std::optional<FrameRange> frames;
  std::string cameras, camera;      // a file of cameras, and the name of one of them; "" for all
  std::vector<FileCamera> several;  // the cameras whose views are drawn; see with_cameras
  bool json = false, timing = false;
  std::vector<std::string> given_options;  // names of the options that are given

  bool gives(std::string_view option) const {
    return std::find(given_options.begin(), given_options.end(), option) != given_options.end();
  }
  /// True if the request is for several pictures.
  bool is_series() const { return frames || !several.empty(); }
};

/// The table of options. They fill `request`, which must outlive them.
std::vector<Option> render_options(RenderRequest& request);

/// The requested outputs, and the settings of their picture.
WantedOutputs wanted_outputs(const RenderRequest& request);
RenderSettings picture_of(const RenderRequest& request);

/// Throws UsageError or OutputError for an invalid request. Called before any long work.
void check(const RenderRequest& request);

/// The names of those given options that have no effect on this picture of this scene: "--a, --b",
/// or "". `settings` must be resolved.
std::string unused_options(const std::vector<std::string>& given_options,
                           const RenderSettings& settings, const SceneData& scene);

// `render --cameras`: the cameras of a file.

/// Throws UsageError if --camera is given (with the value `camera`) without --cameras, or if
/// --cameras is given together with another option for the camera. gives(option) must be true if
/// that option is given.
void require_cameras_alone(const std::string& cameras, const std::string& camera,
                           FunctionRef<bool(const char*)> gives);

/// The index of the camera called `name`, which is either its picture or its name for files. `path`
/// is the file of the cameras. Throws UsageError if there is no such camera.
std::size_t index_of_camera(const std::vector<FileCamera>& cameras, const std::string& name,
                            const std::string& path);

/// The camera of a file, with the lens that options have given.
CameraSettings with_lens_of(const FileCamera& camera, const CameraSettings& options);

/// The request with the cameras of its file: all of them in `several`; if --camera chooses one,
/// this as the camera of the picture. Without --cameras, the request is unchanged. Throws
/// UsageError if other options are also given for the camera, and the errors of read_cameras.
RenderRequest with_cameras(const RenderRequest& request);

/// The request for the view of one of the cameras. The size is that of the file, unless --size is
/// given.
RenderRequest through_camera(const RenderRequest& request, const FileCamera& camera);

/// The pattern of the file names for the pictures of the cameras. Throws UsageError if two names
/// would be equal, and OutputError if the first or last file can't be written.
NumberedName name_for_cameras(const RenderRequest& request);

// The steps of `render`.

/// A loaded scene, and the backend of the requested device.
struct LoadedScene {
  CachedScene scene;
  const BackendInfo* backend;
};

/// Loads the scene while the device is being started. If both fail, throws the error of the device.
/// Sets `times.load`, and sets `times.device` to the time of waiting for the device after loading.
LoadedScene load_meanwhile(const RenderRequest& request, RenderTimes& times);

/// Makes a renderer for the scene and the requested device.
Renderer make_ready(const Scene& scene, const RenderRequest& request);

/// Draws the picture of a request for a single one, writes it and prints the report. Returns the
/// exit code.
int draw_picture(const RenderRequest& request, RenderTimes& times);

}  // namespace ballotcast::detail
