// The command line: from words to a subcommand that is ready to run, and the help that goes with
// it.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace ballotcast::detail {

/// What the words ask for.
struct Request {
  const Command* command = nullptr;  // what is to run; null: print `text` instead
  std::string text;                  // help or version
};

/// Reads the words after the program's name and calls the setters of the options among them.
/// Throws UsageError for words that make no sense; `commands` must outlive the result.
Request parse(const std::vector<std::string>& words, const std::vector<Command>& commands);

}  // namespace ballotcast::detail
