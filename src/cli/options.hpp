// The table of options: a row is what the parser reads, what --help says and what the default is.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/scene.hpp"
#include "math/portable.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Takes an option's text. Throws UsageError naming the option and the text when it makes no sense.
using Setter = std::function<void(const std::string& name, const std::string& text)>;

/// A row of the table of options.
struct Option {
  std::string group;   // the heading it stands under in the help
  std::string name;    // "--size", "-o,--output", or "SCENE" for what has no dashes
  std::string value;   // what stands for the value in the help; "" for a flag
  std::string preset;  // the default in words, or ""
  std::string help;
  Setter set;            // a flag's text is ""
  bool repeats = false;  // may it be given more than once, each time one more?

  bool is_flag() const { return value.empty(); }
  bool is_positional() const { return name.front() != '-'; }
  /// The name that messages use: "--output" of "-o,--output".
  std::string long_name() const { return name.substr(name.rfind(',') + 1); }
};

// Setters, by what they read. The target must outlive them.
Setter set_flag(bool& target);
Setter set_text(std::string& target);
/// A file to write; "-" is stdout.
Setter set_output(std::string& target);
Setter set_count(u32& target, u32 low, u32 high);
/// A number of bytes above 0, K, M, G and T for 2^10 to 2^40: 512M.
Setter set_bytes(std::optional<u64>& target);
/// A number from `low` to `high`; with `open`, neither of the two itself.
Setter set_number(std::optional<double>& target, double low, double high, bool open = false);
Setter set_number(std::optional<float>& target, double low, double high);
// Lists, separated by commas; what is given again is added.
Setter set_names(std::vector<std::string>& target, std::string kind,
                 std::vector<std::string_view> names);
Setter set_texts(std::vector<std::string>& target);
/// A file's name, commas and all; adds to `target`.
Setter add_text(std::vector<std::string>& target);
/// Whole numbers, K for 2^10 and M for 2^20: 64K,1M.
Setter set_counts(std::vector<u32>& target, u32 low, u32 high);
Setter set_numbers(std::vector<double>& target, double low, double high);

/// WIDTHxHEIGHT.
Setter set_size(u32& width, u32& height);
/// Three numbers x,y,z.
Setter set_vector(std::optional<Vec3d>& target);
/// A mesh and its place, FILE[@x,y,z[,scale[,degrees]]]; adds to `target`.
Setter add_mesh(std::vector<PlacedFile>& target);
/// As set_vector, and not 0,0,0.
Setter set_direction(std::optional<Vec3d>& target);
/// As set_vector, and not negative.
Setter set_color(std::optional<Vec3f>& target);
/// One of `names`; `kind` is what a message calls them.
Setter set_name(std::string& target, std::string kind, std::vector<std::string_view> names);

/// "a, b, c".
std::string joined(const std::vector<std::string_view>& names);

}  // namespace ballotcast::detail
