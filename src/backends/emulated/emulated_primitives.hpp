// The laboratory of the emulated machine.
#pragma once

#include "backends/primitives.hpp"

namespace ballotcast {

std::unique_ptr<PrimitiveLab> emulated_primitive_lab(u64 seed);

}  // namespace ballotcast
