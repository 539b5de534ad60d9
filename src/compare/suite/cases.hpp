// What a suite wants drawn: its "cases", see manifest.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/options.hpp"
#include "math/portable.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {

/// A measure's inclusive range: what lies above is too much, and what lies below shows that the
/// tolerance is no longer needed.
struct ToleranceRange {
  std::string measure;  // see measure.hpp
  double low = 0.0;
  double high = 0.0;
};

/// How a case may differ from its golden, and why.
struct Tolerance {
  std::vector<ToleranceRange> ranges;
  std::string why;
};

/// Machines and options: each combination must give the same picture.
struct CaseAxes {
  std::vector<std::string> devices{"cpu"};
  std::vector<std::string> pipelines{"auto"};
  std::vector<std::string> atomics{"auto"};
  std::vector<std::string> layouts{"grid2"};
  std::vector<u32> block_sizes{256};
};

/// One picture.
struct SuiteCase {
  std::string name;
  // Either a scene of ours ...
  std::string scene;  // path, or "" for the built-in one
  RenderSettings picture = small_picture();
  CaseAxes on;
  // ... or another program, whose "{output}" is replaced by the name of the PNG to write.
  std::vector<std::string> command;
  u32 timeout_s = 600;
  std::optional<Tolerance> tolerance;
  std::string settings_hash;  // of all above but name, axes and tolerance

  bool is_command() const { return !command.empty(); }

  /// What is drawn where the suite says nothing.
  static RenderSettings small_picture() {
    RenderSettings picture;
    picture.width = 320;
    picture.height = 180;
    return picture;
  }
};

/// The cases of entry `json`, which `file` calls `name`. Throws InputError naming both.
std::vector<SuiteCase> cases_of(const Json& json, const std::string& file, const std::string& name);

}  // namespace ballotcast::detail
