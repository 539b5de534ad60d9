// The cases of a suite, which are the entries of its "cases" (see manifest.hpp), and their setups:
// the cast settings with which they are drawn.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/options.hpp"
#include "compare/comparison.hpp"
#include "render/setting_tables.hpp"
#include "scene/json/json_section.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// One choice of device and options. For commands the device is "". Options that are not chosen
/// suit all machines, and do not depend on what a scene was packed with.
struct Setup : CastSettings {
  explicit Setup(const std::string& device = "");

  /// False for the setup of a command.
  bool has_device() const { return !renderer.device.empty(); }
  /// The options that the counter depends on, with auto resolved: "passes block-vote bvh2 256".
  std::string counter_key() const;
  /// As text: "cpu, queue, naive, bvh2, block size 64".
  std::string in_words() const;
};

/// The axes of suites: those rows of cast_settings of which a case may state several values.
const std::vector<CastSetting>& setup_axes();

/// Values of axes, by their keys. Each combination must give the same picture.
using CaseAxes = std::map<std::string, std::vector<std::string>, std::less<>>;

/// All combinations of the values, except pipelines with strategies that they can't use. An axis
/// without values has the value of Setup("cpu").
std::vector<Setup> setups_of(const CaseAxes& axes);

/// In a list of a suite, stands for all names of a table.
inline constexpr const char* kAllNames = "all";

/// The values of an axis that an object states, sorted, each once. Throws InputError for a value of
/// another type, or one that the axis refuses.
std::vector<std::string> axis_values(const Section& in, const CastSetting& axis);

/// The axes that the object "on" of a case states, each with its values sorted. Throws InputError
/// for unknown axes and values, and if no setup is left.
CaseAxes axes_at(const Json& on, const std::string& file, const std::string& name);

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
