// Where the time of `render` goes: one list of phases, for the report and for the chart.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/renderer.hpp"

namespace ballotcast::detail {

/// Wall-clock times of the program's own steps, in milliseconds.
struct RenderTimes {
  double start = 0.0;   // of the process, up to the command: libraries and options
  double check = 0.0;   // of the options and output files
  double load = 0.0;    // the files of the scene
  double device = 0.0;  // the start of the device, beyond loading, which happens at the same time
  double build = 0.0;   // the tree that is kept in the cache
  double cache = 0.0;   // writing to the cache
  double camera = 0.0;  // choosing a camera
  double draw = 0.0;
  double encode = 0.0;  // picture and hits file, in memory
  double hash = 0.0;    // beyond encoding, which happens at the same time
  double write = 0.0;
  double total = 0.0;  // of the process so far
};

/// A phase of `render`.
struct Phase {
  std::string name;
  double milliseconds;
  bool is_part = false;  // of the last phase before it that is no part
};

/// The phases, in order; `cache` only if something was written to it. Those that are no parts add
/// up to the total, and the parts of a phase to the phase: the last of each is "rest".
std::vector<Phase> phases_of(const RenderTimes& times, const PrepareTimes& prepare,
                             const std::vector<StageTime>& stages);

/// A chart of the phases, with a bar for each: lines of at most 80 columns.
std::string chart_of(const std::vector<Phase>& phases, double total);

}  // namespace ballotcast::detail
