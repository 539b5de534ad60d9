// Handles Ctrl-C and similar signals.
#pragma once

namespace ballotcast::detail {

/// From now on SIGINT, SIGTERM and SIGHUP (unless the caller ignores them) remove what the program
/// was creating (support/leftovers.hpp) and print a line on stderr. Then they end the program as
/// usual. A second signal ends it at once. Call this before any thread is started.
void clean_up_when_interrupted();

}  // namespace ballotcast::detail
