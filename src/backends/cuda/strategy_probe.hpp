// The strategies' probes as GPU code in the program. They are there to be read, not to be run.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The number of probe kernels in this program, each for every architecture that probes are
/// compiled for; 0 in a build without CUDA Toolkit. Calling it links the probes into the program.
u32 probe_kernels();

}  // namespace ballotcast::detail
