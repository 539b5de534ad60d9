// The functions that the table of backends names. BackendInfo (backend.hpp) says what they do.
#pragma once

#include "backends/benchmarks/runners.hpp"
#include "backends/device/backend.hpp"

namespace ballotcast::detail {

// Backend cpu: plain parallel loops over the same code for walks and triangles that kernels use. It
// replaces a missing GPU, and is the reference that every other backend must equal.
std::string cpu_unusable();
std::string cpu_describe();
std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene);

/// If the pipeline's walks rest in memory, its counts depend on the number of paths, so it takes
/// all of them at once. Other pipelines take so few that their memory stays in the caches.
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
/// Builds trees on the GPU if the builder's row says `on_machines`, else on the host.
BinaryTree cuda_build(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes);
std::unique_ptr<TreeBuilder> cuda_tree_builder(const Mesh& mesh, const Copies& copies);
std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> cuda_router(const PartBoxes& parts);
std::unique_ptr<SyntheticRunner> cuda_synthetic_runner();
std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
