// This run of the program: how and when it was called, how long it has run, and how Ctrl-C and
// similar signals end it.
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

/// Starts the clock. Call it first of all in main.
void start_process_clock();

/// Milliseconds from the begin of the process to start_process_clock: the time that it took to load
/// the program and its libraries. The time of the processor stands for it, because the process
/// does nothing else until then.
double milliseconds_before_main();

/// Milliseconds since the process began.
double process_milliseconds();

/// From now on SIGINT, SIGTERM and SIGHUP (unless the caller ignores them) remove what the program
/// was creating (support/files/temporary_files.hpp) and print a line on stderr. Then they end the
/// program as usual. A second signal ends it at once. Call this before any thread is started.
void clean_up_when_interrupted();

/// From now on the first signal calls `end` instead, in another thread. For programs that work
/// until they are interrupted, and then end by themselves. A second signal still ends the program
/// at once.
void when_interrupted(std::function<void()> end);

/// Removes what the program was creating, and prints a line on stderr. For the leader of several
/// processes, of which another has failed: it ends all of them next, whatever its threads do.
void clean_up_after_failure(const std::string& why);

}  // namespace ballotcast::detail
