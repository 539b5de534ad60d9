// Backend cuda: an NVIDIA GPU. In a build without the CUDA Toolkit, cuda_absent.cpp replaces it.
// BackendInfo says what these functions do.
#pragma once

#include "backends/backend.hpp"

namespace ballotcast::detail {

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

}  // namespace ballotcast::detail
