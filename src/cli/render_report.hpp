// What `render` tells about its work, as JSON.
#pragma once

#include <string>
#include <vector>

#include "render/renderer_state.hpp"

namespace ballotcast::detail {

/// Wall-clock milliseconds of what the program itself takes time for.
struct RenderTimes {
  double load = 0.0;
  double camera = 0.0;  // finding a camera
  double draw = 0.0;
  double hash = 0.0;
  double encode = 0.0;  // PNG and hits file, in memory
  double write = 0.0;
  double total = 0.0;
};

/// All that a report is made of.
struct RenderReport {
  const Renderer& renderer;
  const RenderSettings& settings;  // resolved
  const Frame& frame;
  const RenderTimes& times;
  std::string_view builder;
  std::string scene_path;  // "": the built-in scene
  std::string output;
  std::string hits;  // "": none written
  u32 threads;
  std::string pixels_hash;
  std::string hits_hash;
  std::vector<std::string> warnings;  // beside the scene's
};

/// One JSON object, with units in its keys, and a line end.
std::string json_of(const RenderReport& report);

/// What the number in CastCounts::counter counts, in words.
std::string counter_meaning(const CastOptions& cast);

}  // namespace ballotcast::detail
