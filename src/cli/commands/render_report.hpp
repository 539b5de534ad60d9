// The reports of `render`: JSON, a chart of the times of its phases, and what each of several
// processes did.
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

/// Elapsed times of the program's own steps, in milliseconds.
struct RenderTimes {
  // From the start of the process to that of the command: loading libraries, parsing options
  double start = 0.0;
  double check = 0.0;  // checking options and output files
  double load = 0.0;   // loading the files of the scene
  // Waiting for the device after loading; it is started while files are loaded
  double device = 0.0;
  double build = 0.0;   // building the tree that is stored in the cache
  double cache = 0.0;   // writing to the cache
  double camera = 0.0;  // choosing a camera
  double draw = 0.0;
  double encode = 0.0;  // encoding the picture and the hits file in memory
  double hash = 0.0;    // waiting for the hash after encoding; both are computed at the same time
  double write = 0.0;
  double total = 0.0;  // the whole time of the process so far
};

/// A phase of `render` with its time.
struct Phase {
  std::string name;
  double milliseconds;
  bool is_stage = false;  // true for a part of the preceding phase that is not itself a part
};

/// The phases, in order. The phase `cache` is among them only if something was written to the
/// cache. The phases that are not parts add up to the total, and the parts of a phase add up to
/// that phase. The last phase and the last part of each phase is called "rest".
std::vector<Phase> phases_of(const RenderTimes& times, const PrepareTimes& prepare,
                             const std::vector<StageTime>& stages);

/// A chart of the phases with one line and bar for each, at most 80 columns wide.
std::string chart_of(const std::vector<Phase>& phases, double total);

/// Everything that reports of `render` contain.
struct RenderReport {
  const Renderer& renderer;
  const CastSettings& casting;  // the settings as given
  const Frame& frame;
  const RenderTimes& times;
  std::string scene_path;  // path of the scene's file; "" for the built-in scene
  std::string output;
  std::string_view format;  // format of the picture: png, pfm, hdr, exr
  std::string hits;         // name of the hits file; "" if none was written
  u32 threads;
  std::string pixels_hash;
  std::string hits_hash;
  std::vector<std::string> warnings;  // warnings in addition to those about the scene
  std::string_view cache;             // name_of(CacheUse); "" if --cache is not given
  const Json& processes;              // the reports of all processes; see reports_of_processes
  // The name of each output and of its file.
  std::vector<std::pair<std::string, std::string>> outputs;
};

/// `text` with _ instead of spaces, for a key of JSON.
std::string underscored(std::string text);

/// All times of a picture as JSON.
Json times_of(const Renderer& renderer, const RenderTimes& times,
              const std::vector<StageTime>& stages);

/// The memory that drawing needs on the device, as JSON.
Json memory_of(const Renderer& renderer, const CastOptions& cast);

/// The report as one JSON object, followed by a line end. The keys of times and sizes contain the
/// unit.
std::string json_of(const RenderReport& report);

/// What CastCounts::counter counts, in words.
std::string counter_meaning(const CastOptions& cast);

/// Collects the reports of all processes. All processes must call this. In the first process,
/// returns an array with an entry per process in the order of their ranks. In other processes, and
/// if there is only one process, returns null. `times` and `memory` are those of this process.
Json reports_of_processes(const Renderer& renderer, const Json& times, const Json& memory);

/// Prints warnings about machines that have failed in processes other than the first.
void remark_losses_of_others(const Json& reports);

}  // namespace ballotcast::detail
