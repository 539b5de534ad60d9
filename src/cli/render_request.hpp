// What `render` is asked to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/render_frames.hpp"
#include "cli/scene_options.hpp"

namespace ballotcast::detail {

/// The values of the options.
struct RenderRequest {
  SceneOptions scene;
  RenderSettings settings;
  RendererOptions renderer;
  std::string output = "ballotcast.png";
  std::string hits;
  std::optional<FrameRange> frames;
  u32 frames_per_second = 24;  // of a film
  u32 threads = 0;
  bool json = false, timing = false;
  std::vector<std::string> given;  // names of the options on the command line
};

/// The options of `render`. They fill `request`, which must outlive them.
std::vector<Option> render_options(RenderRequest& request);

/// Refuses invalid requests before any long work: throws UsageError or OutputError.
void check(const RenderRequest& request);

}  // namespace ballotcast::detail
