// Which version of the library runs.
#pragma once

#include "ballotcast/api.hpp"

namespace ballotcast {

/// "0.1.0".
BALLOTCAST_API const char* version();

/// The commit that was built, with a + where files differed from it; "unknown" where it was built
/// outside of a repository.
BALLOTCAST_API const char* commit();

}  // namespace ballotcast
