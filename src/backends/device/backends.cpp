// The table of backends.
#include <random>

#include "backends/device/backend.hpp"
#include "backends/parts/ray_router.hpp"
#include "ballotcast/error.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

u32 one_machine() { return 1; }
/// Emulated machines need no hardware, so their number is arbitrary. No test needs more.
u32 sixteen_machines() { return 16; }

u32 all_of_them(const CastChoice&, u32 most) { return most; }

Loop by_graph() { return {Loop::Who::graph, 1}; }

BinaryTree host_build(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64) {
  return build_on_host(builder, mesh, copies, progress);
}

}  // namespace

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo> table = {
      {"cuda", "an NVIDIA GPU, through its driver alone", cuda_count, cuda_use, cuda_unusable,
       cuda_describe, cuda_free_memory, cuda_build, cuda_tree_builder, cuda_upload, cuda_router,
       cuda_auto_loop, all_of_them, true, true, cuda_synthetic_runner, cuda_primitive_lab},
      {"cpu", "all cores, a plain loop over rays", one_machine, nullptr, cpu_unusable, cpu_describe,
       nullptr, host_build, nullptr, cpu_upload, make_host_router, by_graph, cpu_paths_at_once,
       false, true, nullptr, nullptr},
      {"emulated", "the GPU's kernels on the CPU, lane by lane; slow", sixteen_machines, nullptr,
       emulated_unusable, emulated_describe, nullptr, host_build, nullptr, emulated_upload,
       emulated_router, by_graph, all_of_them, true, false, emulated_synthetic_runner,
       emulated_primitive_lab},
  };
  return table;
}

u64 random_word() {
  std::random_device entropy;
  return u64{entropy()} << 32 | entropy();
}

AllHits ResidentScene::all_crossings(const Query& counting) {
  std::vector<u32> counts(counting.count);
  Query query = counting;
  query.results = counts.data();
  answer(query);
  AllHits out;
  out.starts.assign(1, 0);
  out.starts.reserve(counts.size() + 1);
  for (const u32 n : counts) out.starts.push_back(out.starts.back() + n);
  out.hits.resize(out.starts.back());
  query.info = &Crossings::info;
  query.starts = out.starts.data();
  query.results = out.hits.data();
  answer(query);
  return out;
}

BuildTree build_on(const BackendInfo& backend, const std::optional<u64>& most_bytes) {
  return {backend.tree_builder ? BuildOn::machine : BuildOn::host,
          [build = backend.build, most = most_bytes.value_or(~u64{0})](
              const Builder& builder, const Mesh& mesh, const Copies& copies,
              const Progress& progress) { return build(builder, mesh, copies, progress, most); }};
}

const BackendInfo& backend_called(std::string_view name) {
  for (const BackendInfo& backend : backends())
    if (backend.name == name) return backend;
  throw_unknown("device", name, names_of(backends(), "auto"));
}

}  // namespace ballotcast::detail
