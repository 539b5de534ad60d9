// Backends: kinds of machines that answer queries. Each backend is a folder beside this one, and a
// row in backends.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/benchmarks/runners.hpp"
#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/api.hpp"

namespace ballotcast::detail {

class RayRouter;
struct PartBoxes;

/// Builds trees of a mesh in the memory of a machine. The mesh must outlive this object.
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;

  /// Builds a tree and encodes it in a layout. The row of the builder must have `on_machines`.
  /// Returns the milliseconds of each stage.
  virtual std::vector<StageTime> build(const Builder& builder, const LayoutInfo& layout) = 0;

  /// True if the machine completed the last tree. If false, `tree` and `encoded` complete it on the
  /// host, and the times of `build` do not include this. This happens for trees that are too deep
  /// for traversal, and for a tree that is a single leaf.
  virtual bool is_whole() const = 0;

  /// The largest amount of the machine's memory that `build` takes in addition to the mesh and the
  /// encoded tree, in bytes.
  virtual u64 bytes_to_build(const Builder& builder) const = 0;

  /// Copies the last tree to the host.
  virtual BinaryTree tree() = 0;
  virtual EncodedBvh encoded() = 0;
};

/// A row of the table of backends.
struct BackendInfo {
  std::string_view name;
  std::string_view summary;
  /// The number of machines. Call it only if the backend is usable.
  u32 (*count)();
  /// Makes machine `index` the current machine of the calling thread. Before the first call, this
  /// is machine 0; with cuda, it is the GPU that the program has set. The pointer is null if the
  /// backend has no current machine.
  void (*use)(u32 index);
  /// The reason why the backend can't be used here, or "".
  std::string (*unusable)();
  /// A description of the machine, e.g. "NVIDIA H200, compute capability 9.0, 132 multiprocessors,
  /// 139 GiB, driver for CUDA 12.8". Call it only if the backend is usable.
  std::string (*describe)();
  /// The number of free bytes of device memory. The pointer is null if the operating system manages
  /// the memory.
  u64 (*free_memory)();
  /// Builds trees. A machine may build them itself, which is faster; these trees equal those of the
  /// host. If the machine would need more than `most_bytes` of memory, or more than is free, the
  /// host builds the tree.
  BinaryTree (*build)(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes);
  /// Copies a mesh to the machine and builds trees there. The pointer is null if only the host can
  /// build.
  std::unique_ptr<TreeBuilder> (*tree_builder)(const Mesh& mesh, const Copies& copies);
  /// Copies a scene to the machine. `scene` must outlive the result.
  std::unique_ptr<ResidentScene> (*upload)(const PreparedScene& scene);
  /// Creates a router in the memory of the machine. It sends rays from part to part of a scene.
  std::unique_ptr<RayRouter> (*router)(const PartBoxes& parts);
  /// The loop that `auto` stands for on this machine: it determines what reads the counter of live
  /// rays.
  Loop (*auto_loop)();
  /// The number of paths of a frame that this machine processes at a time; at most `most`. Pixels
  /// and counts do not depend on this number.
  u32 (*paths_at_once)(const CastChoice& choice, u32 most);
  /// True if the kernels of the pipelines run on this machine. False if the machine casts each ray
  /// from start to end and computes the counts that the pipeline would have.
  bool has_pipelines;
  /// False for a machine that emulates another one, whose times are meaningless.
  bool has_times;
  /// Creates the machine's runner of synthetic kernels. The pointer is null if the machine has no
  /// lanes.
  std::unique_ptr<SyntheticRunner> (*synthetic_runner)();
  /// Creates the machine's runner of primitives. `seed` selects the order in which emulated lanes
  /// run (0: by index); a GPU ignores it. The pointer is null if the machine has no lanes.
  std::unique_ptr<PrimitiveLab> (*primitive_lab)(u64 seed);
};

/// Returns the function that builds trees for a machine. It uses at most `most_bytes` of the
/// machine's memory, if given.
BuildTree build_on(const BackendInfo& backend, const std::optional<u64>& most_bytes);

/// All backends, usable or not.
BALLOTCAST_API const std::vector<BackendInfo>& backends();

/// The row called `name`, usable or not. Throws UsageError for an unknown name.
const BackendInfo& backend_called(std::string_view name);

// The functions in the rows of the table. BackendInfo documents them.

// Backend cpu: parallel loops over the same traversal and triangle code that kernels use. It is
// used if there is no GPU, and is the reference that every other backend must equal.
std::string cpu_unusable();
std::string cpu_describe();
std::unique_ptr<ResidentScene> cpu_upload(const PreparedScene& scene);

/// If the pipeline stores the state of traversals in memory, its counts depend on the number of
/// paths, so all paths are processed at once. Other pipelines process so few paths at once that
/// their memory stays in the caches.
u32 cpu_paths_at_once(const CastChoice& choice, u32 most);

// Backend emulated: the kernels of backend cuda, run on the CPU.
std::string emulated_unusable();
std::string emulated_describe();
std::unique_ptr<ResidentScene> emulated_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> emulated_router(const PartBoxes& parts);

/// As emulated_upload, but lanes run in an order that is shuffled by `seed` (0: by index). For
/// tests.
std::unique_ptr<ResidentScene> emulated_upload_seeded(const PreparedScene& scene, u64 seed);
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner();
/// As emulated_synthetic_runner, but lanes run in an order that is shuffled by `seed`. For tests.
std::unique_ptr<SyntheticRunner> emulated_synthetic_runner(u64 seed);
std::unique_ptr<PrimitiveLab> emulated_primitive_lab(u64 seed);

// Backend cuda: an NVIDIA GPU. In a build without the CUDA Toolkit, cuda_absent.cpp replaces it.
u32 cuda_count();
void cuda_use(u32 index);
std::string cuda_unusable();
std::string cuda_describe();
u64 cuda_free_memory();
Loop cuda_auto_loop();
/// Builds trees on the GPU if the builder's row has `on_machines`, else on the host.
BinaryTree cuda_build(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes);
std::unique_ptr<TreeBuilder> cuda_tree_builder(const Mesh& mesh, const Copies& copies);
std::unique_ptr<ResidentScene> cuda_upload(const PreparedScene& scene);
std::unique_ptr<RayRouter> cuda_router(const PartBoxes& parts);
std::unique_ptr<SyntheticRunner> cuda_synthetic_runner();
std::unique_ptr<PrimitiveLab> cuda_primitive_lab(u64 seed);

}  // namespace ballotcast::detail
