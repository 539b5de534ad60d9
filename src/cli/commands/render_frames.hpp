// Draws several frames of a scene that moves: `render --frames`.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "cli/scene_options.hpp"
#include "render/outputs/output_files.hpp"

namespace ballotcast::detail {

/// The frames first to last.
struct FrameRange {
  u32 first, last;

  u32 count() const { return last - first + 1; }
};

/// Sets a range of frames: A..B, or a single one.
Setter set_frames(std::optional<FrameRange>& target);

/// What `render --frames` needs of the command line.
struct FramesRequest {
  const SceneOptions& scene;
  RenderSettings settings;  // the camera included
  RendererOptions renderer;
  WantedOutputs wanted;
  std::string output;  // with one %d or %0Nd, where the number of the frame goes; or a movie
  FrameRange frames;
  bool json;
};

/// Draws the frames and writes them, as pictures or as a movie. Each picture has the bytes that it
/// has alone. Throws UsageError or OutputError before all work if the first or last file can't be
/// written, or if nothing in the file moves, and the errors of SceneFrames, Renderer, Movie and
/// write_files_atomically. Pictures of the frames before the error stay.
int render_frames(const FramesRequest& request);

}  // namespace ballotcast::detail
