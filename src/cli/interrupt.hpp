// Handles Ctrl-C and similar signals.
#pragma once

#include <functional>
#include <string>

namespace ballotcast::detail {

/// From now on SIGINT, SIGTERM and SIGHUP (unless the caller ignores them) remove what the program
/// was creating (support/leftovers.hpp) and print a line on stderr. Then they end the program as
/// usual. A second signal ends it at once. Call this before any thread is started.
void clean_up_when_interrupted();

/// From now on the first signal calls `end` instead, in another thread. For programs that work
/// until they are interrupted, and then end by themselves. A second signal still ends the program
/// at once.
void when_interrupted(std::function<void()> end);

/// Removes what the program was creating, and prints a line on stderr. For the leader of several
/// processes, of which another has failed: it ends all of them next, whatever its threads do.
void clean_up_after_failure(const std::string& why);

}  // namespace ballotcast::detail
