// Backend cuda: an NVIDIA GPU. Without a CUDA Toolkit at build time, cuda_absent.cpp stands in.
#pragma once

#include "backends/backend.hpp"

namespace ballotcast {

std::string cuda_unusable();
std::string cuda_describe();
u64 cuda_free_memory();
std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene);
std::unique_ptr<Laboratory> cuda_laboratory();

}  // namespace ballotcast
