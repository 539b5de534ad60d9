// Ctrl-C and its like.
#pragma once

namespace ballotcast::detail {

/// From here on SIGINT, SIGTERM and SIGHUP, unless the caller has them ignored, end the program as
/// they would anyway, but first what it was making is done away with (support/leftovers.hpp) and a
/// line on stderr says so. A second one ends it at once. Before any thread is started.
void clean_up_when_interrupted();

}  // namespace ballotcast::detail
