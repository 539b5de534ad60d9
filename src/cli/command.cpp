#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "ballotcast/error.hpp"
#include "ballotcast/version.hpp"
#include "image/linear/linear_files.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kOptionColumn = 26;

const char* const kIntroduction =
    "Ballotcast casts rays through scenes, on an NVIDIA GPU or on the CPU with the\n"
    "same result to the last bit, and measures what counting them costs.\n";

const char* const kExamples =
    "Examples:\n"
    "  ballotcast render                        the built-in scene, to ballotcast.png\n"
    "  ballotcast render room.obj -o room.png   a scene of your own\n"
    "  ballotcast info room.obj                 what the scene contains\n"
    "  ballotcast compare a.png b.png           whether two pictures are the same\n"
    "  ballotcast bench atomics --html a.html   what counting costs on this GPU\n";

std::string version_text() {
  return std::string("ballotcast ") + version() +
         " (CUDA: " + (BALLOTCAST_HAS_CUDA ? "yes" : "no") +
         ", OpenEXR: " + (linear_format_of(".exr")->absent.empty() ? "yes" : "no") +
         ", assimp: " + (other_mesh_formats().empty() ? "no" : "yes") + ")\n";
}

std::string help_of(const std::vector<Command>& commands) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : commands) rows.emplace_back(command.name, command.summary);
  return std::string(kIntroduction) +
         "\nUsage: ballotcast SUBCOMMAND [FILES] [OPTIONS]\n\nSubcommands:\n" + entries(rows) +
         "\nOptions:\n" +
         entries({{"--help", "this text; after a subcommand, its help"},
                  {"--version", "the version, and what it was built with"}}) +
         "\n" + kExamples +
         "\nExit codes: 0 done, 1 something differs that must not, 2 wrong usage, 3 a file\n"
         "can't be read or written, 4 the device can't be used; if interrupted, 128\nplus the "
         "signal: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.\n";
}

/// True if `name` is the first word of commands whose names have two words.
bool group_called(const std::string& name, const std::vector<Command>& commands) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const Command& command) { return command.name.starts_with(name + " "); });
}

std::string help_of_group(const std::string& name, const std::vector<Command>& commands) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : commands)
    if (command.name.starts_with(name + " ")) rows.emplace_back(command.name, command.summary);
  return "Usage: ballotcast " + name + " WHAT [OPTIONS]\n\n" + entries(rows) + "\nballotcast " +
         name + " WHAT --help says more.\n";
}

std::string help_of(const Command& command) {
  std::string usage = "Usage: ballotcast " + command.name;
  for (const Option& option : command.options)
    if (option.is_positional())
      usage += (option.required ? " " + option.name : " [" + option.name + "]") +
               (option.repeats ? "..." : "");
  std::string out = command.summary;
  out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  out += ".\n\n" + usage + " [OPTIONS]\n";
  std::string group;
  for (const Option& option : command.options) {
    if (option.group != group) out += "\n" + option.group + ":\n";
    group = option.group;
    std::string term = option.name;
    if (const std::size_t comma = term.find(','); comma != term.npos) term.insert(comma + 1, " ");
    if (!option.is_positional() && !option.is_flag()) term += " " + option.value;
    const std::string preset = option.preset.empty() ? "" : " (default: " + option.preset + ")";
    out += entry(term, option.help + preset, kOptionColumn);
  }
  return out + "\nHelp:\n" + entry("--help", "this text", kOptionColumn) +
         entry("--", "ends the options: all that follows are files, even with a - in front",
               kOptionColumn);
}

/// A hint for a mistyped word: "; did you mean X?" with the most similar of `names`, or `otherwise`
/// if none is similar.
std::string guess(const std::string& typed, const std::vector<std::string>& names,
                  const std::string& otherwise) {
  const std::string best = nearest(typed, names);
  return best.empty() ? "; " + otherwise : "; did you mean " + best + "?";
}

std::vector<std::string> long_names(const Command& command) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options)
    if (!option.is_positional()) names.push_back(option.long_name());
  return names;
}

constexpr const char* kEndOfOptions = "--";

/// Throws UsageError for an argument that is neither an option nor an operand of the command.
/// `behind` is true if the argument follows `--`.
[[noreturn]] void refuse_leftover(const Command& command, const std::string& word, bool behind) {
  if (word.size() > 1 && word.front() == '-' && !behind) {
    const std::string name = word.substr(0, word.find('='));
    throw UsageError(
        "unknown option '" + name + "'" +
        guess(name, long_names(command), "see ballotcast " + command.name + " --help"));
  }
  throw UsageError("unexpected argument '" + word + "'; see ballotcast " + command.name +
                   " --help");
}

const Command& command_called(const std::string& name, const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  if (name.front() == '-')
    throw UsageError("unknown option '" + name + "'" +
                     guess(name, {"--help", "--version"}, "options follow the subcommand"));
  const auto ends_name = [&](const std::string& suffix) { return name.ends_with(suffix); };
  if (std::ranges::any_of(suffixes_of_inputs(), ends_name))
    throw UsageError("unknown subcommand '" + name + "'; did you mean ballotcast render " + name +
                     "?");
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  throw UsageError("unknown subcommand '" + name + "'" + guess(name, names, "known: " + list));
}

const Option* option_called(const Command& command, const std::string& word) {
  for (const Option& option : command.options) {
    if (option.is_positional()) continue;
    const std::size_t comma = option.name.find(',');
    if (word == option.long_name() ||
        (comma != option.name.npos && word == option.name.substr(0, comma)))
      return &option;
  }
  return nullptr;
}

/// Joins each option with its value: `--eye -1,2,3` becomes `--eye=-1,2,3`. Otherwise CLI11 would
/// parse some values that begin with a minus as options. Throws UsageError for an option without
/// its value, and for a flag with a value.
std::vector<std::string> tied(const Command& command, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == kEndOfOptions) {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const std::size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
    const std::string name = word.substr(0, equals);
    const Option* option = option_called(command, name);
    if (!option) {
      out.push_back(word);
    } else if (option->is_flag()) {
      if (equals != word.npos) throw UsageError(name + " takes no value");
      out.push_back(word);
    } else {
      const bool next = equals == word.npos && i + 1 < words.size() &&
                        words[i + 1] != kEndOfOptions && !option_called(command, words[i + 1]);
      const std::string value = equals != word.npos ? word.substr(equals + 1)
                                : next              ? words[++i]
                                                    : std::string();
      if (value.empty()) throw UsageError(name + " needs a value: " + option->value);
      out.push_back(option->long_name() + "=" + value);
    }
  }
  return out;
}

}  // namespace

Request parse(const std::vector<std::string>& words, const std::vector<Command>& commands) {
  if (words.size() > 1 && words[0] == "help") {  // help COMMAND
    std::vector<std::string> asked(words.begin() + 1, words.end());
    asked.emplace_back("--help");
    return parse(asked, commands);
  }
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help")
    return {nullptr, help_of(commands)};
  if (words[0] == "--version") return {nullptr, version_text()};
  if (words[0].empty()) throw UsageError("unknown subcommand ''; see ballotcast --help");
  // A name with two words, such as "bench atomics".
  const bool is_group = group_called(words[0], commands);
  const bool has_second = is_group && words.size() > 1 && words[1] != "--help" && words[1] != "-h";
  if (is_group && !has_second) return {nullptr, help_of_group(words[0], commands)};
  const std::size_t name_words = has_second ? 2 : 1;
  const Command& command =
      command_called(has_second ? words[0] + " " + words[1] : words[0], commands);

  CLI::App app(command.summary, command.name);
  app.allow_extras();
  app.set_help_flag("-h,--help");
  for (const Option& option : command.options) {
    const std::string name = option.long_name();
    if (option.is_flag()) {
      app.add_flag_callback(option.name, [&option, name] { option.set(name, ""); });
    } else if (option.repeats) {
      app.add_option_function<std::vector<std::string>>(
             option.name,
             [&option, name](const std::vector<std::string>& texts) {
               for (const std::string& text : texts) option.set(name, text);
             })
          ->allow_extra_args(option.is_positional())
          ->take_all();
    } else {
      app.add_option_function<std::string>(
             option.name, [&option, name](const std::string& text) { option.set(name, text); })
          ->take_last();
    }
  }
  try {
    std::vector<std::string> rest =
        tied(command, {words.begin() + static_cast<std::ptrdiff_t>(name_words), words.end()});
    std::reverse(rest.begin(), rest.end());  // CLI11 expects the words in reverse order
    app.parse(rest);
  } catch (const CLI::CallForHelp&) {
    return {nullptr, help_of(command)};
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  std::vector<std::string> left = app.remaining();
  const auto mark = std::find(words.begin(), words.end(), kEndOfOptions);
  if (const auto at = std::find(left.begin(), left.end(), kEndOfOptions); at != left.end())
    left.erase(at);
  if (!left.empty())
    refuse_leftover(command, left.front(),
                    std::find(mark, words.end(), left.front()) != words.end());
  return {&command, ""};
}

}  // namespace ballotcast::detail
