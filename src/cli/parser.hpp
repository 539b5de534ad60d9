// Parses the command line into a subcommand that is ready to run, or into the text of the help.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace ballotcast::detail {

/// What the command line asks for.
struct Request {
  const Command* command = nullptr;  // the subcommand to run; null: print `text` instead
  std::string text;                  // help or version
};

/// Parses the words after the program's name and calls the setters of the options in them. Throws
/// UsageError for invalid words. `commands` must outlive the result.
Request parse(const std::vector<std::string>& words, const std::vector<Command>& commands);

}  // namespace ballotcast::detail
