// This run of the program: how and when it was called, how long it has run, and how signals such as
// Ctrl-C end it.
#pragma once

#include <functional>
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

/// Starts the clock. Call this first in main.
void start_process_clock();

/// Milliseconds from the start of the process to start_process_clock: the time for loading the
/// program and its libraries. This is processor time, because the process does nothing else until
/// then.
double milliseconds_before_main();

/// Milliseconds since the process began.
double process_milliseconds();

/// From now on, SIGINT, SIGTERM and SIGHUP (unless the caller ignores them) remove the files that
/// are being created (support/files/temporary_files.hpp), print a line on stderr, and end the
/// program as usual. A second signal ends it at once. Call this before any thread is started.
void clean_up_when_interrupted();

/// From now on, the first signal calls `end` instead, in another thread. For programs that work
/// until they are interrupted, and then end normally. A second signal still ends the program at
/// once.
void when_interrupted(std::function<void()> end);

/// Removes the files that are being created, and prints a line on stderr. The leader of several
/// processes calls this when another one has failed, before it ends all of them.
void clean_up_after_failure(const std::string& why);

}  // namespace ballotcast::detail
