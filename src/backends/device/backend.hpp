// Backends: the machines that cast rays. Each is one folder beside this one, and one row in
// backends.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/benchmarks/runners.hpp"
#include "backends/device/cast_choice.hpp"
#include "backends/scene/prepare.hpp"
#include "kernels/drawn_frame.hpp"
#include "kernels/frame_settings.hpp"
#include "kernels/queries/table.hpp"
#include "math/portable.hpp"
#include "math/ray.hpp"
#include "support/error.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

class RayRouter;
struct PartBoxes;
struct ScenePart;

/// A random word in the memory of a machine, and where it is. By it processes find out whether one
/// can read the memory of the other.
struct MemoryProbe {
  LentMemory memory;
  u64 word = 0;
};

u64 random_word();

/// True if `machine` reads the word where it is said to be.
template <class Machine>
bool reads(Machine& machine, const MemoryProbe& probe) {
  u64 word = ~probe.word;
  auto here = machine.template make<u64>(1);
  try {
    [[maybe_unused]] const auto taken = machine.template take<u64>(
        probe.memory, 1, [&](u64* there) { machine.gather(here.data(), there, 1); });
    machine.download(&word, static_cast<const u64*>(here.data()), 1);
  } catch (const DeviceError&) {
    return false;
  }
  return word == probe.word;
}

/// What a cast should find out besides hits. Each of these costs time.
struct CastChecks {
  u64* atomics = nullptr;  // receives the number of atomic operations issued; 0 on backend cpu
  /// See CastPlan::on_queue. Backend cpu never calls it, and backend cuda not if atomics are
  /// counted.
  std::function<void(u32 pass, const std::vector<u32>& ids)> on_queue;
};

/// Rays that stay on a machine, so that they can be cast repeatedly, one cast at a time. The scene
/// that made them must outlive them.
class ResidentRays {
 public:
  virtual ~ResidentRays() = default;

  /// Casts all rays at once, not in batches; otherwise as ResidentScene::cast.
  virtual CastCounts cast(const CastChoice& choice, const CastChecks& checks) = 0;

  /// Replaces all rays by others, as many. Only rays on one machine can be replaced; else throws
  /// UsageError.
  virtual void replace(const Ray*) {
    throw UsageError("rays can only be replaced on one machine, at a whole scene");
  }

  /// Copies the results of the last cast; `visits` may be null.
  virtual void results(Hit* hits, u32* visits) = 0;

  /// Casts all rays `runs` times without counting leaf visits. Returns the milliseconds of each
  /// run: on a GPU the device time from the first kernel to the end of the last, else wall-clock
  /// time.
  virtual std::vector<double> time(const CastChoice& choice, u32 runs) = 0;
};

/// A scene on a machine.
class ResidentScene {
 public:
  virtual ~ResidentScene() = default;

  /// Answers a query whose arrays are in host memory; sums are added to what is there. The counts
  /// are those of a cast, else 0. If the closest triangles of a ray have equal t, the one with the
  /// smallest id is the hit. Throws DeviceError if the machine fails.
  virtual CastCounts answer(const Query& query) = 0;

  /// As answer(), for a cast without visits and worlds, whose rays and hits may also be in the
  /// memory of a machine of the same backend.
  virtual CastCounts answer_in_place(const Query& cast) { return answer(cast); }

  /// All crossings of the rays of a query of CrossingCounts. By default it counts them first; a
  /// machine whose memory grows as needed can find them once.
  virtual AllHits all_crossings(const Query& counting);

  /// Answers a cast. `visits` may be null.
  CastCounts cast(RayKind kind, const Ray* rays, Hit* hits, u32* visits, u64 count,
                  const CastChoice& choice, const RayWorlds& worlds = {}) {
    return answer(cast_query(kind, rays, hits, count, choice, worlds, visits));
  }

  /// To be called before a query or a frame. Sets how many items or paths (at least 1) it processes
  /// at a time. A frame takes at least one row of tiles, even if that is more. The default is
  /// kPathsAtOnce. Frees the memory of larger batches. No hit and no pixel depends on the number,
  /// only `passes` and the counters of strategies that count blocks or passes. `bytes` is what the
  /// work takes besides the scene; that memory is kept for the next work.
  virtual void begin_work(u32 rays, u64 bytes) = 0;

  /// Copies rays[count] to the machine.
  virtual std::unique_ptr<ResidentRays> keep(RayKind kind, const Ray* rays, u32 count) = 0;

  /// A copy on the machine that the calling thread uses, made from memory to memory. Null if that
  /// machine can't reach the memory of this one. Several threads may call it at once.
  virtual std::unique_ptr<ResidentScene> copied() const { return nullptr; }

  /// Takes over what has changed of the scene in place: lights, and if `moved` also vertices,
  /// normals, the tree and lamps.
  virtual void follow(Moved moved) = 0;

  /// Draws a frame, or the rows of it that the settings state. Throws the same errors as `cast`.
  virtual DrawnFrame draw(const FrameSettings& settings, const CastChoice& choice,
                          const Progress& report) = 0;

  /// Smooths a whole picture whose rows were drawn in pieces (DrawnFrame::raw). Its counts hold
  /// only the number of rays.
  virtual DrawnFrame develop(const FrameSettings& settings, const std::vector<RawFilm>& films) = 0;

  /// Lends a word of the memory of its machine to another process; none if it can't.
  virtual std::optional<MemoryProbe> lend() { return {}; }
  /// True if it can develop films that lie where this word of another process does.
  virtual bool reads(const MemoryProbe&) { return false; }
  /// Frees films that were lent (FrameSettings::raw_is_lent).
  virtual void end_loan() {}
};

/// Builds trees of a mesh that is in the memory of a machine. The mesh must outlive it.
class TreeBuilder {
 public:
  virtual ~TreeBuilder() = default;

  /// Builds a tree and encodes it in a layout. The row of the builder must say `on_machines`.
  /// Returns the milliseconds of each stage.
  virtual std::vector<StageTime> build(const Builder& builder, const LayoutInfo& layout) = 0;

  /// True if the machine built the last tree wholly. Else `tree` and `encoded` do the rest on the
  /// host, and the times of `build` leave it out: for trees that are too deep for walks, or a leaf.
  virtual bool is_whole() const = 0;

  /// The most memory of the machine that `build` takes besides the mesh and the encoded tree, in
  /// bytes.
  virtual u64 bytes_to_build(const Builder& builder) const = 0;

  /// Copies the last tree to the host.
  virtual BinaryTree tree() = 0;
  virtual EncodedBvh encoded() = 0;
};

/// A row of the table of backends.
struct BackendInfo {
  std::string_view name;
  std::string_view summary;
  /// The number of machines, if the backend is usable.
  u32 (*count)();
  /// Makes machine `index` the one that the calling thread uses from now on. Before that, a thread
  /// uses machine 0, or with cuda the one that the program has set. The pointer is null if there is
  /// nothing to do.
  void (*use)(u32 index);
  /// The reason why the backend can't be used here, or "".
  std::string (*unusable)();
  /// A description of the machine, e.g. "NVIDIA H200, compute capability 9.0, 132 multiprocessors,
  /// 139 GiB, driver for CUDA 12.8". Call it only if the backend is usable.
  std::string (*describe)();
  /// The number of free bytes of device memory. The pointer is null if the operating system manages
  /// the memory.
  u64 (*free_memory)();
  /// Builds trees. A machine that can do so by itself, faster, makes the same trees as the host. If
  /// that takes more than `most_bytes` of its memory, or more than is free, the host builds.
  BinaryTree (*build)(const Builder& builder, const Mesh& mesh, const Copies& copies,
                      const Progress& progress, u64 most_bytes);
  /// Copies a mesh to the machine and builds trees there. The pointer is null if only the host can
  /// build.
  std::unique_ptr<TreeBuilder> (*tree_builder)(const Mesh& mesh, const Copies& copies);
  /// Copies a scene to the machine. `scene` must outlive the result.
  std::unique_ptr<ResidentScene> (*upload)(const PreparedScene& scene);
  /// Creates what sends rays from part to part of a scene, in the memory of the machine.
  std::unique_ptr<RayRouter> (*router)(const PartBoxes& parts);
  /// The default loop of this machine: who reads the counter of live rays.
  Loop (*auto_loop)();
  /// How many of `most` paths of a frame this machine follows at a time. Neither pixels nor counts
  /// depend on it.
  u32 (*paths_at_once)(const CastChoice& choice, u32 most);
  /// True if the kernels of the pipelines run on this machine. False if it casts each ray from
  /// start to end and computes the counts that the pipeline would give.
  bool has_pipelines;
  /// True if times have a meaning on this machine.
  bool has_times;
  /// Creates the machine's runner of synthetic kernels. The pointer is null if the machine has no
  /// lanes.
  std::unique_ptr<SyntheticRunner> (*synthetic_runner)();
  /// Creates the machine's runner of primitives. `seed` selects the order in which emulated lanes
  /// run (0: by index); a GPU ignores it. The pointer is null if the machine has no lanes.
  std::unique_ptr<PrimitiveLab> (*primitive_lab)(u64 seed);
};

/// The function that builds trees for a machine, within `most_bytes` of its memory if that is
/// stated.
BuildTree build_on(const BackendInfo& backend, const std::optional<u64>& most_bytes);

/// All backends, usable or not.
const std::vector<BackendInfo>& backends();

/// One machine of a backend.
struct MachineRef {
  const BackendInfo* backend;
  u32 index;

  /// "cuda:1", "cpu"
  std::string name() const;
  /// Makes it the machine that the calling thread uses from now on.
  void use() const;
};

/// The result of choosing a device.
struct DeviceChoice {
  const BackendInfo* backend;  // that of the first machine: it builds trees, and chooses the loop
  std::string note;            // for `auto` without a usable GPU: the reason; else ""
  // The machines that were listed. Empty: the machine that each calling thread uses already.
  std::vector<MachineRef> machines;
  Processes* processes = nullptr;  // with whom it shares work, or null

  /// True if work is done in pieces, by several machines or processes. Then CastCounts::passes and
  /// counter depend on how it was cut.
  bool is_shared() const { return machines.size() > 1u || processes != nullptr; }
  /// "cuda", "cuda:0,1+cpu"
  std::string name() const;
  /// True if all machines of this process have the same backend. Then they can copy from each
  /// other's memory.
  bool are_of_one_kind() const;
  /// How many of `most` paths of a frame one of the machines follows at a time.
  u32 paths_at_once(const CastChoice& choice, u32 most) const {
    return are_of_one_kind() ? backend->paths_at_once(choice, most) : most;
  }
  /// True if times have a meaning on all machines.
  bool has_times() const;
  /// The descriptions of all machines.
  std::string description() const;
  /// The number of free bytes of the machine that has the fewest; none if nobody manages memory.
  std::optional<u64> free_memory() const;
  /// Copies a scene to all machines. `scene` must outlive the result. `on_loss`: see
  /// make_several_scene.
  std::unique_ptr<ResidentScene> upload(
      const PreparedScene& scene, const std::function<void(const std::string&)>& on_loss) const;
  /// Copies the parts of a scene to the machines: see parts/parts.hpp.
  std::unique_ptr<ResidentScene> upload_parts(const PreparedScene& scene,
                                              const std::vector<ScenePart>& parts) const;
};

/// The function that builds trees for a device: on its first machine.
BuildTree build_on(const DeviceChoice& device, const std::optional<u64>& most_bytes);

/// The row called `name`, usable or not. Throws UsageError for an unknown name.
const BackendInfo& backend_called(std::string_view name);

/// The machines that a text lists: names of backends, joined by "+". After the name of a backend
/// may stand the numbers of its machines, "cuda:0,2", or "cuda:all". Numbers are not compared with
/// how many there are. Empty for "auto" and for the plain name of one backend. Throws UsageError
/// for what is no such text.
std::vector<MachineRef> listed_machines(std::string_view text);

/// The device called `name`: a text of listed_machines; for "auto", cuda if it is usable, else cpu.
/// Throws UsageError for what is no such text and for machines that are not there, and DeviceError
/// for a backend that can't be used here.
DeviceChoice choose_device(std::string_view name);

/// The same for work that one machine does. Throws UsageError for a list.
DeviceChoice choose_backend(std::string_view name);

}  // namespace ballotcast::detail
