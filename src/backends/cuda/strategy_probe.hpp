// The probes of the strategies (kernels/strategies/probe.hpp) as GPU code in the program. Nothing
// runs them: `info --atomics` reads their machine code.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// The number of probe kernels in this program. Each counts once, however many architectures it is
/// compiled for. 0 in a build without the CUDA Toolkit. A call of this function makes the linker
/// keep the probes in the program.
u32 probe_kernels();

}  // namespace ballotcast::detail
