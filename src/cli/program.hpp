// The content of `main`. It is a function, because the Python package has the program's code in a
// shared library (python/CMakeLists.txt).
#pragma once

#include "ballotcast/api.hpp"

namespace ballotcast::detail {

/// Runs the program and returns its exit code. This is the only place where errors become exit
/// codes.
BALLOTCAST_API int run_program(int argc, char** argv);

}  // namespace ballotcast::detail
