// The version of the library.
#pragma once

#include "ballotcast/api.hpp"

namespace ballotcast {

/// The version number, e.g. "0.1.0".
BALLOTCAST_API const char* version();

/// The commit that was built, with a + if files differed from it; "unknown" if it was built outside
/// of a repository.
BALLOTCAST_API const char* commit();

}  // namespace ballotcast
