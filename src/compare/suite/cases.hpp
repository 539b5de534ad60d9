// The cases of a suite: the entries of its "cases"; see manifest.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/options.hpp"
#include "compare/comparison.hpp"
#include "compare/suite/setups.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// The range that a measure must lie in, both ends included. One end of it is worse: for errors the
/// high end, for psnr and ssim the low end. Beyond the worse end, the pictures differ too much.
/// Beyond the other end, they differ so little that the tolerance is no longer needed.
struct ToleranceRange {
  std::string measure;  // name of the measure; see comparison.hpp
  double low = 0.0;
  double high = 0.0;
};

/// How much a case may differ from its golden, and why.
struct Tolerance {
  std::vector<ToleranceRange> ranges;
  std::string why;
};

/// One picture of a suite.
struct SuiteCase {
  std::string name;
  // A case is either a scene of ours ...
  std::string scene;  // path, or "" for the built-in scene
  RenderSettings picture = small_picture();
  CaseAxes on;
  // ... or another program. "{output}" in its arguments stands for the PNG file to write.
  std::vector<std::string> command;
  u32 timeout_s = 600;
  std::optional<Tolerance> tolerance;
  std::vector<Rectangle> ignore;  // pixels that are not compared
  std::string ignore_where;       // CompareOptions::ignore_where as a file, or ""
  std::string settings_hash;      // hash of the settings above that determine the picture

  bool is_command() const { return !command.empty(); }
  /// True if pixels of the picture may differ from what is approved.
  bool has_freedom() const { return tolerance || !ignore.empty() || !ignore_where.empty(); }

  /// The settings of a case if the suite states none.
  static RenderSettings small_picture() {
    RenderSettings picture;
    picture.width = 320;
    picture.height = 180;
    return picture;
  }
};

/// The cases of entry `json`, called `name` in `file`. Throws InputError, which names both.
std::vector<SuiteCase> cases_of(const Json& json, const std::string& file, const std::string& name);

}  // namespace ballotcast::detail
