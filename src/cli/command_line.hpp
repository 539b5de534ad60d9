// The command line as it was given, and when: for reports that say how to repeat them.
#pragma once

#include <string>
#include <vector>

namespace ballotcast::detail {

/// Remembers the words after the program's name.
void remember_command_line(const std::vector<std::string>& words);

/// "ballotcast bench atomics --html 'a b.html'": quoted where a shell would need it.
std::string command_line();

/// Today's date, UTC: YYYY-MM-DD.
std::string today();

}  // namespace ballotcast::detail
