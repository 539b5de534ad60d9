// The option table. Each row defines an option: how the parser reads it, what --help prints, and
// the default.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/scene.hpp"
#include "math/portable.hpp"
#include "render/setting_tables.hpp"
#include "support/text.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Parses the text of the option `name` and stores its value. Throws UsageError if the text is
/// invalid.
using Setter = std::function<void(const std::string& name, const std::string& text)>;

/// A row of the option table.
struct Option {
  std::string group;   // heading in the help under which the option is listed
  std::string name;    // "--size", "-o,--output", or "SCENE" for a positional argument
  std::string value;   // placeholder for the value in the help; "" for a flag
  std::string preset;  // the default as text, or ""
  std::string help;
  Setter set;             // called with the text of the value; for a flag, the text is ""
  bool repeats = false;   // true if it may be given several times, each of which adds a value
  bool required = false;  // true for a positional argument that must be given

  bool is_flag() const { return value.empty(); }
  bool is_positional() const { return name.front() != '-'; }
  /// The name of the option in messages: "--output" for "-o,--output".
  std::string long_name() const { return name.substr(name.rfind(',') + 1); }
};

// Functions that return setters for different kinds of values. The targets must outlive the
// setters.
Setter set_flag(bool& target);
Setter set_text(std::string& target);
/// Sets the name of an input file.
Setter set_file(std::optional<std::string>& target);
/// Sets the name of an output file, or "-" for stdout.
Setter set_output(std::string& target);
Setter set_count(u32& target, u32 low, u32 high);
/// Sets a number of bytes above 0. K, M, G and T are factors from 2^10 to 2^40: 512M.
Setter set_bytes(std::optional<u64>& target);
/// Sets a number from `low` to `high`. With `open`, both ends are excluded.
Setter set_number(std::optional<double>& target, double low, double high, bool open = false);
Setter set_number(std::optional<float>& target, double low, double high);
// Functions that return setters of comma-separated lists. If the option is given again, its values
// are added.
Setter set_names(std::vector<std::string>& target, std::string kind,
                 std::vector<std::string_view> names);
Setter set_texts(std::vector<std::string>& target);
/// Adds one file name to `target`. The name may contain commas.
Setter add_text(std::vector<std::string>& target);
/// Adds integers, in which K is the factor 2^10 and M is 2^20: 64K,1M.
Setter set_counts(std::vector<u32>& target, u32 low, u32 high);
Setter set_numbers(std::vector<double>& target, double low, double high);

/// Sets a size from the text WIDTHxHEIGHT.
Setter set_size(u32& width, u32& height);
/// Sets a vector from the text x,y,z.
Setter set_vector(std::optional<Vec3d>& target);
/// Adds a mesh and its placement to `target`, from the text FILE[@x,y,z[,scale[,degrees]]].
Setter add_mesh(std::vector<PlacedFile>& target);
/// Sets a vector other than 0,0,0.
Setter set_direction(std::optional<Vec3d>& target);
/// Sets a colour: a vector without negative numbers.
Setter set_color(std::optional<Vec3f>& target);
/// Sets `target` to the value, which must be one of `names`. `kind` is the word for these names in
/// messages, e.g. "strategy".
Setter set_name(std::string& target, std::string kind, std::vector<std::string_view> names);
/// Sets a list of devices (listed_machines). An element that begins with a digit belongs to the
/// device before it: cpu,cuda:0,2 are two devices.
Setter set_devices(std::vector<std::string>& targets);

/// The option for the row of cast_settings with this key. It fills `settings`, which must outlive
/// the option. The default is the current value of the setting. `help` replaces the beginning of
/// the row's help.
Option cast_option(const std::string& group, std::string_view key, CastSettings& settings,
                   const std::string& help = "");
/// The option --build, for commands that build trees on the host.
Option host_build_option(const std::string& group, CastSettings& settings);
/// An option whose values, which are values of the setting with this key, are added to `target`.
/// `preset` is the default for the help, in words.
Option cast_list_option(const std::string& group, std::string_view key,
                        std::vector<std::string>& target, const std::string& preset);

}  // namespace ballotcast::detail
