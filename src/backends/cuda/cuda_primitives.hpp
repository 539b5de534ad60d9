// The runner of `bench primitives` on the GPU. In a build without the CUDA Toolkit, cuda_absent.cpp
// replaces it.
#pragma once

#include "backends/primitives.hpp"

namespace ballotcast::detail {

std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
