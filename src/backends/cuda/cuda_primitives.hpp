// The laboratory of the GPU. Without a CUDA Toolkit at build time, cuda_absent.cpp stands in.
#pragma once

#include "backends/primitives.hpp"

namespace ballotcast {

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast
