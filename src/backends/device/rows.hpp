// What the rows of the table of backends name; BackendInfo (backend.hpp) says what the functions
// do.
#pragma once

#include "backends/benchmarks/runners.hpp"
#include "backends/device/backend.hpp"

namespace ballotcast::detail {

// Backend cpu: plain parallel loops over the walk and triangle code that kernels use. It is the
// fallback if there is no GPU, and the reference that every other backend must equal.
std::string cpu_unusable();
std::string cpu_describe();
std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene);

/// A pipeline whose walks rest in memory takes them all, because its counts depend on the number.
/// Others take so few that their memory stays in the caches.
u32 cpu_paths_at_once(const CastChoice& choice, u32 most);

// Backend emulated: the kernels of backend cuda, run on the CPU.
std::string emulated_unusable();
std::string emulated_describe();
std::unique_ptr<ResidentScene> emulated_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> emulated_router(const PartBoxes& parts);

/// As emulated_upload, but lanes run in an order shuffled by `seed` (0: by index). For tests.
std::unique_ptr<ResidentScene> emulated_upload_seeded(const PreparedScene& scene, u64 seed);
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner();
/// As emulated_synthetic_runner, but lanes run in an order shuffled by `seed`. For tests.
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner(u64 seed);
std::unique_ptr<PrimitiveLab> emulated_primitive_lab(u64 seed);

// Backend cuda: an NVIDIA GPU. In a build without the CUDA Toolkit, cuda_absent.cpp replaces it.
u32 cuda_count();
void cuda_use(u32 index);
std::string cuda_unusable();
std::string cuda_describe();
u64 cuda_free_memory();
Loop cuda_auto_loop();
/// Trees of builders whose row says `on_machines` are built on the GPU, the others on the host.
BinaryTree cuda_build(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes);
std::unique_ptr<TreeBuilder> cuda_tree_builder(const Mesh& mesh, const Copies& copies);
std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> cuda_router(const PartBoxes& parts);
std::unique_ptr<SyntheticRunner> cuda_synthetic_runner();
std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
