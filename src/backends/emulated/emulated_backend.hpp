// Backend emulated: the kernels of backend cuda, run on the CPU.
#pragma once

#include "backends/backend.hpp"

namespace ballotcast::detail {

std::string emulated_unusable();
std::string emulated_describe();
std::unique_ptr<ResidentScene> emulated_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> emulated_router(const PartBoxes& parts);

/// As emulated_upload, but lanes run in an order shuffled by `seed` (0: by index). For tests.
std::unique_ptr<ResidentScene> emulated_upload_seeded(const PreparedScene& scene, u64 seed);
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner();
/// As emulated_synthetic_runner, but lanes run in an order shuffled by `seed`. For tests.
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner(u64 seed);

}  // namespace ballotcast::detail
