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

/// One choice of device and options for drawing a case. The device is "" if the case has a command.
/// The defaults of all other options work on all machines, and do not depend on how a scene was
/// packed.
struct Setup : CastSettings {
  explicit Setup(const std::string& device = "");

  /// False for the setup of a command.
  bool has_device() const { return !renderer.device.empty(); }
  /// The options that the counter depends on, as text: "passes block-vote bvh2 256". "auto" is
  /// replaced by its choice.
  std::string counter_key() const;
  /// The setup in words: "cpu, queue, naive, bvh2, block size 64".
  std::string in_words() const;
};

/// The axes of suites: the rows of cast_settings for which a case may have several values.
const std::vector<CastSetting>& setup_axes();

/// The values of each axis, by its key. A case must give the same picture with each combination.
using CaseAxes = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The setups of all combinations of the values, except pipelines with strategies that they can't
/// use. An axis without values has its value in Setup("cpu").
std::vector<Setup> setups_of(const CaseAxes& axes);

/// A name that stands for all names of a table, in the lists of a suite.
inline constexpr const char* kAllNames = "all";

/// The values that the object `in` gives for an axis, sorted and without repetition. Throws
/// InputError for values of another type, or values that are invalid for the axis.
std::vector<std::string> axis_values(const Section& in, const CastSetting& axis);

/// The axes in the object "on" of a case, each with its values sorted. Throws InputError for
/// unknown axes and values, and if no setup is left.
CaseAxes axes_at(const Json& on, const std::string& file, const std::string& name);

/// The range that a measure must lie in, both ends included. One end is the worse one: the high end
/// for errors, the low end for psnr and ssim. Beyond the worse end, the pictures differ too much.
/// Beyond the other end, they differ so little that the tolerance is no longer needed.
struct ToleranceRange {
  std::string measure;  // name of the measure; see comparison.hpp
  double low = 0.0;
  double high = 0.0;
};

/// How much a case may differ from its golden, with the reason.
struct Tolerance {
  std::vector<ToleranceRange> ranges;
  std::string why;
};

/// A case of a suite: one picture.
struct SuiteCase {
  std::string name;
  // Either a scene of this program ...
  std::string scene;  // path of the scene's file, or "" for the built-in scene
  RenderSettings picture = small_picture();
  CaseAxes on;
  // ... or the command of another program. "{output}" in its words stands for the PNG file to
  // write.
  std::vector<std::string> command;
  u32 timeout_s = 600;
  std::optional<Tolerance> tolerance;
  std::vector<Rectangle> ignore;  // rectangles of pixels that are not compared
  std::string ignore_where;       // name of a picture file for CompareOptions::ignore_where, or ""
  std::string settings_hash;      // hash of those settings above that determine the picture

  bool is_command() const { return !command.empty(); }
  /// True if the picture may differ from the approved one in some pixels.
  bool has_freedom() const { return tolerance || !ignore.empty() || !ignore_where.empty(); }

  /// The settings of a case for which the suite gives none.
  static RenderSettings small_picture() {
    RenderSettings picture;
    picture.width = 320;
    picture.height = 180;
    return picture;
  }
};

/// The cases of the entry `json`, which is called `name` in `file`. Throws InputError, which names
/// both, if the entry is invalid.
std::vector<SuiteCase> cases_of(const Json& json, const std::string& file, const std::string& name);

}  // namespace ballotcast::detail
