// The program as a function. `main` calls it; the Python package calls it in a shared library
// (python/CMakeLists.txt).
#pragma once

#include "ballotcast/api.hpp"

namespace ballotcast::detail {

/// Runs the program and returns its exit code. Only this function turns exceptions into exit codes.
BALLOTCAST_API int run_program(int argc, char** argv);

}  // namespace ballotcast::detail
