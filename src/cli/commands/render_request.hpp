// What `render` is asked to do, and which of its options change nothing.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/frame.hpp"
#include "cli/commands/render_frames.hpp"
#include "cli/options.hpp"
#include "cli/scene_options.hpp"
#include "render/outputs/output_files.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The values of the options.
struct RenderRequest {
  SceneOptions scene;
  RenderSettings settings;
  RendererOptions renderer;
  std::string output = "ballotcast.png";
  std::string hits;
  std::vector<std::string> outputs;  // names; empty: the colour
  std::optional<FrameRange> frames;
  std::string cameras, camera;      // a file of cameras, and which of them; "": all
  std::vector<FileCamera> several;  // those that are drawn; see with_cameras
  u32 threads = 0;
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

/// Those of the given options that have no effect on this picture of this scene: "--a, --b", or "".
/// `settings` are resolved.
std::string unused_options(const std::vector<std::string>& given, const RenderSettings& settings,
                           const SceneData& scene);

}  // namespace ballotcast::detail
