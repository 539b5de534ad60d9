// The command line and the date of this run, for reports that tell how to repeat them.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// Stores the word by which the program was called, and the words after it.
void remember_command_line(const std::string& program, const std::vector<std::string>& words);

/// The word by which the program was called, for commands that people paste into their shell:
/// "ballotcast", "build/ballotcast".
std::string called_program();

/// The command line as text, quoted where a shell needs it: "ballotcast bench atomics --html 'a
/// b.html'".
std::string command_line();

/// Today's date in UTC: YYYY-MM-DD.
std::string today();

}  // namespace ballotcast::detail
