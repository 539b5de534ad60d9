// The JSON report of `render --json`.
#pragma once

#include <string>
#include <vector>

#include "cli/render_times.hpp"
#include "render/internals.hpp"
#include "render/settings.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// Everything that a report contains.
struct RenderReport {
  const Renderer& renderer;
  const Frame& frame;
  const RenderTimes& times;
  std::string scene_path;  // "" for the built-in scene
  std::string output;
  std::string_view format;  // of the output: png, pfm, hdr, exr
  std::string hits;         // hits file; "" if none was written
  u32 threads;
  std::string pixels_hash;
  std::string hits_hash;
  std::vector<std::string> warnings;  // in addition to those of the scene
  std::string_view cache;             // name_of(CacheUse); "" without --cache
  const Json& processes;              // see process_reports.hpp
};

/// A name as a key of JSON: with _ for spaces.
std::string underscored(std::string text);

/// All times of a picture.
Json times_of(const Renderer& renderer, const RenderTimes& times,
              const std::vector<StageTime>& stages);

/// The memory that drawing takes on the device.
Json memory_of(const Renderer& renderer, const CastOptions& cast);

/// The report as one JSON object and a line end. Keys of times and sizes contain the unit.
std::string json_of(const RenderReport& report);

/// What CastCounts::counter counts, in words.
std::string counter_meaning(const CastOptions& cast);

}  // namespace ballotcast::detail
