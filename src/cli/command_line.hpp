// The command line and the date of this run, for reports that tell how to repeat them.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// Stores the words after the program's name.
void remember_command_line(const std::vector<std::string>& words);

/// The command line as text, quoted where a shell needs it: "ballotcast bench atomics --html 'a
/// b.html'".
std::string command_line();

/// Today's date in UTC: YYYY-MM-DD.
std::string today();

}  // namespace ballotcast::detail
