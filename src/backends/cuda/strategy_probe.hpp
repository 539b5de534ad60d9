// The strategies' probes as GPU code in the program, there to be read and not to be run.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The number of probe kernels in this program, each for every architecture that the probes are
/// compiled for; 0 in a build without the CUDA Toolkit. Calling it is what links them.
u32 probe_kernels();

}  // namespace ballotcast::detail
