// The runner of `bench primitives` on the emulated machine.
#pragma once

#include "backends/primitives.hpp"

namespace ballotcast::detail {

std::unique_ptr<PrimitiveLab> emulated_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
