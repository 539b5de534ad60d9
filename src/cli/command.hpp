// The subcommands, each a row in commands(), and the parser that finds the requested one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace ballotcast::detail {

/// A subcommand. Its name may have two words: "bench atomics". The setters of its options fill the
/// data that `run` reads. `run` returns the exit code; exceptions of the library pass through it.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::function<int()> run;
  bool is_shared = false;  // several processes run it together; else each runs its own
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

/// All subcommands, in the order of the help.
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

/// The request of a command line.
struct Request {
  const Command* command = nullptr;  // the subcommand to run; null: print `text` instead
  std::string text;                  // help or version
};

/// Parses the words after the program's name and calls the setters of the options in them. Throws
/// UsageError for invalid words. `commands` must outlive the result.
Request parse(const std::vector<std::string>& words, const std::vector<Command>& commands);

}  // namespace ballotcast::detail
