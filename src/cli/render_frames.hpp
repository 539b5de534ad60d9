// Draws several frames of a scene with keyframes: `render --frames`.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/scene_options.hpp"

namespace ballotcast::detail {

/// The frames first to last.
struct FrameRange {
  u32 first, last;
};

/// Sets a range of frames: A..B, or a single one.
Setter set_frames(std::optional<FrameRange>& target);

/// What `render --frames` needs of the command line.
struct FramesRequest {
  const SceneOptions& scene;
  RenderSettings settings;
  RendererOptions renderer;
  std::string output;  // with one %d or %0Nd, where the number of the frame goes
  FrameRange frames;
  bool json;
};

/// Throws UsageError or OutputError unless the files can be written.
void check_frames(const FramesRequest& request);

/// Draws the frames and writes them. Each has the bytes that it has alone. Throws the errors of
/// load_scene, Renderer and write_files_atomically; the frames before the error stay.
int render_frames(const FramesRequest& request);

}  // namespace ballotcast::detail
