// This run of the program: its command line, its running time, and how it ends after signals such
// as Ctrl-C.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ballotcast::detail {

/// Stores the command line: the word by which the program was called, and the words after it.
void remember_command_line(const std::string& program, const std::vector<std::string>& words);

/// The word by which the program was called, such as "ballotcast" or "build/ballotcast", for
/// commands that people paste into their shell.
std::string called_program();

/// The command line as text, quoted where a shell needs it: "ballotcast bench atomics --html 'a
/// b.html'".
std::string command_line();

/// Today's date in UTC: YYYY-MM-DD.
std::string today();

/// Starts the clock of process_milliseconds. `main` calls this first.
void start_process_clock();

/// Milliseconds from the start of the process to start_process_clock, in which the program and its
/// libraries were loaded. This is processor time, because the process does nothing else until then.
double milliseconds_before_main();

/// Milliseconds since the process was started.
double process_milliseconds();

/// Makes SIGINT, SIGTERM and SIGHUP (unless the caller ignores them) remove the files that are
/// being created (support/files/temporary_files.hpp), print a line on stderr, and end the program
/// as usual. A second signal ends it at once. Call this before any thread is started.
void clean_up_when_interrupted();

/// Makes the first signal call `end`, in another thread, instead of ending the program. This is for
/// programs that run until they are interrupted, and then end normally. A second signal still ends
/// the program at once.
void when_interrupted(std::function<void()> end);

/// Removes the files that are being created, and prints a line on stderr. The leader of several
/// processes calls this when another one has failed, before it ends all of them.
void clean_up_after_failure(const std::string& why);

}  // namespace ballotcast::detail
