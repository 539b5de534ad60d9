// The reports of `render` besides the picture: JSON, the times of its phases as a chart, and what
// each of several processes did.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballotcast/renderer.hpp"
#include "render/internals.hpp"
#include "render/setting_tables.hpp"
#include "render/settings.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// Wall-clock times of the program's own steps, in milliseconds.
struct RenderTimes {
  double start = 0.0;   // of the process, up to the command: libraries and options
  double check = 0.0;   // of the options and output files
  double load = 0.0;    // the files of the scene
  double device = 0.0;  // waiting for the device after loading; both happen at the same time
  double build = 0.0;   // the tree that is kept in the cache
  double cache = 0.0;   // writing to the cache
  double camera = 0.0;  // choosing a camera
  double draw = 0.0;
  double encode = 0.0;  // picture and hits file, in memory
  double hash = 0.0;    // after encoding; both happen at the same time
  double write = 0.0;
  double total = 0.0;  // of the process so far
};

/// A phase of `render`.
struct Phase {
  std::string name;
  double milliseconds;
  bool is_stage = false;  // a part of the last phase before it that is not itself a part
};

/// The phases, in order; `cache` only if something was written to it. The phases that are not parts
/// add up to the total, and the parts of a phase add up to that phase. The last of each is "rest".
std::vector<Phase> phases_of(const RenderTimes& times, const PrepareTimes& prepare,
                             const std::vector<StageTime>& stages);

/// A chart of the phases, with a bar for each: lines of at most 80 columns.
std::string chart_of(const std::vector<Phase>& phases, double total);

/// Everything that a report contains.
struct RenderReport {
  const Renderer& renderer;
  const CastSettings& how;  // as given
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
  const Json& processes;              // see reports_of_processes
  // The name of each output, and its file.
  std::vector<std::pair<std::string, std::string>> outputs;
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

/// Collects the reports of all processes. All processes must call this. In the first process it
/// returns an array with an entry per process, in order of their ranks; in the others, and if there
/// is only one process, null. `times`, `memory`: those of this process.
Json reports_of_processes(const Renderer& renderer, const Json& times, const Json& memory);

/// Prints warnings about machines that have failed in processes other than the first.
void remark_losses_of_others(const Json& reports);

}  // namespace ballotcast::detail
