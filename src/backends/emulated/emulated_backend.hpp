// Backend emulated: the kernels of backend cuda, run on the CPU.
#pragma once

#include "backends/backend.hpp"

namespace ballotcast {

std::string emulated_unusable();
std::string emulated_describe();
std::unique_ptr<ResidentScene> emulated_upload(const PreparedScene& scene);

/// As emulated_upload; lanes run in an order shuffled by `seed` (0: in order). For tests.
std::unique_ptr<ResidentScene> emulated_upload_seeded(const PreparedScene& scene, u64 seed);
std::unique_ptr<Laboratory> emulated_laboratory();
/// As emulated_laboratory; lanes run in an order shuffled by `seed`. For tests.
std::unique_ptr<Laboratory> emulated_laboratory(u64 seed);

}  // namespace ballotcast
