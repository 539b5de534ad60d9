// Setups: the cast settings with which the cases of a suite are drawn.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "render/cast_settings.hpp"
#include "scene/json/json_section.hpp"

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

}  // namespace ballotcast::detail
