// The request of `render`, and which of its options change nothing.
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
#include "scene/scene.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The values of the options.
struct RenderRequest {
  SceneOptions scene;
  RenderSettings settings;
  CastSettings how;
  std::string output = "ballotcast.png";
  std::string hits, profile;         // "": not written
  std::vector<std::string> outputs;  // names; empty: the colour
  std::optional<FrameRange> frames;
  std::string cameras, camera;      // a file of cameras, and one of its cameras; "": all
  std::vector<FileCamera> several;  // the cameras that are drawn; see with_cameras
  bool json = false, timing = false;
  std::vector<std::string> given;  // names of the options on the command line

  bool gives(std::string_view option) const {
    return std::find(given.begin(), given.end(), option) != given.end();
  }
  /// True if several pictures are drawn.
  bool is_series() const { return frames || !several.empty(); }
};

/// The options of `render`. They fill `request`, which must outlive them.
std::vector<Option> render_options(RenderRequest& request);

/// The outputs that are asked for, and the settings of their picture.
WantedOutputs wanted_outputs(const RenderRequest& request);
RenderSettings picture_of(const RenderRequest& request);

/// Refuses invalid requests before any long work: throws UsageError or OutputError.
void check(const RenderRequest& request);

/// Lists those of the given options that have no effect on this picture of this scene: "--a, --b",
/// or "". `settings` must be resolved.
std::string unused_options(const std::vector<std::string>& given, const RenderSettings& settings,
                           const SceneData& scene);

// The cameras of a file: `render --cameras`.

/// Throws UsageError if --camera has the value `camera` without --cameras, or if --cameras is given
/// together with an option that states a camera: one for which gives(option) is true.
void require_cameras_alone(const std::string& cameras, const std::string& camera,
                           FunctionRef<bool(const char*)> gives);

/// The index of the camera that --camera names, by its picture or by the name for files. `path` is
/// the file of the cameras. Throws UsageError if there is no such camera.
std::size_t index_of_camera(const std::vector<FileCamera>& cameras, const std::string& name,
                            const std::string& path);

/// A camera of a file, with the lens that options state.
CameraSettings with_lens_of(const FileCamera& camera, const CameraSettings& given);

/// The request with the cameras of its file: all of them in `several`, or the one that --camera
/// chooses as the camera of the picture. Without --cameras, the request is unchanged. Throws
/// UsageError if other options state a camera, too, and the errors of read_cameras.
RenderRequest with_cameras(const RenderRequest& request);

/// The request for the view of one of the cameras. Its size is that in the file, unless --size
/// states one.
RenderRequest through_camera(const RenderRequest& request, const FileCamera& camera);

/// The file name for the picture of each camera. Throws UsageError if two would be equal, and
/// OutputError if the first or last can't be written.
NumberedName name_for_cameras(const RenderRequest& request);

}  // namespace ballotcast::detail
