// The synthetic_runner of the GPU. Without a CUDA Toolkit at build time, cuda_absent.cpp stands in.
#pragma once

#include "backends/primitives.hpp"

namespace ballotcast::detail {

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
