// The subcommands, each of which is a row in commands(), and the parser for the command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace ballotcast::detail {

/// A subcommand. Its name may have two words: "bench atomics". The setters of its options fill the
/// data that `run` reads. `run` returns the exit code, and may throw the exceptions of the library.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::function<int()> run;
  // True if several processes run it together; false if each process runs its own
  bool is_shared = false;
};

Command render_command();
Command view_command();
Command explain_command();
Command info_command();
Command pack_command();
Command compare_command();
Command regress_command();
Command accept_command();
Command history_command();
Command verify_command();
Command bench_atomics_command();
Command bench_rays_command();
Command bench_builds_command();
Command bench_primitives_command();
Command bench_report_command();

/// The table of all subcommands, in the order of the help.
inline std::vector<Command> commands() {
  return {render_command(),        view_command(),
          explain_command(),       info_command(),
          pack_command(),          compare_command(),
          regress_command(),       accept_command(),
          history_command(),       verify_command(),
          bench_rays_command(),    bench_builds_command(),
          bench_atomics_command(), bench_primitives_command(),
          bench_report_command()};
}

/// What the command line requests: a subcommand or a text.
struct Request {
  const Command* command = nullptr;  // the subcommand to run; if null, `text` is printed instead
  std::string text;                  // the help or the version
};

/// Parses `words`, which follow the program's name, and calls the setters of the options. Throws
/// UsageError for invalid words. `commands` must outlive the result.
Request parse(const std::vector<std::string>& words, const std::vector<Command>& commands);

}  // namespace ballotcast::detail
