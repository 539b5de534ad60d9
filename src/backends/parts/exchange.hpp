// A scene in parts on its machines, and rays on their way through it, step by step: the machines
// that hold parts cast, and routers send rays from part to part (kernels/parts/route.hpp).
//
//                      rays 0 .. n/2                 rays n/2 .. n
//   machine thread 0   route -> lists \   / cast part 0's lists    -> merge -> route ..
//                                      \ /  (one from each router)
//                                      / \                                        .
//   machine thread 1   route -> lists /   \ cast part 1's lists    -> merge -> route ..
//
// Each step waits for the one before it on all machines. A machine reads the rays of a list, and
// writes their hits, where the router has them: on GPUs over the link between them, if they have
// one. If machines are of several backends, there is one router, in host memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/parts/parts.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/several/machines.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

/// A part on its machine.
struct PartOnMachine {
  ScenePart part;
  std::unique_ptr<ResidentScene> scene;
};

/// A machine, its thread, and its parts. They are made, used and freed in the thread.
struct MachineOfParts {
  std::string name;
  std::unique_ptr<MachineThread> thread;
  std::vector<std::size_t> parts;  // their numbers
  /// Makes a router from whose memory all these machines can copy; null if there is none.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
};

/// Runs work(), and lets an error of the machine name it.
template <class Work>
void naming(const MachineOfParts& machine, const Work& work) {
  try {
    work();
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const DeviceError& error) {
    throw DeviceError(machine.name + ", which holds a part of the scene: " + error.what());
  }
}

/// Calls work(machine, part) for each part of each machine, in the threads of the machines. An
/// error of a machine names it.
void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work);

/// What walks must know of the whole scene: with numbers of its own, a part would find other bits.
Approach approach_of(const PreparedScene& whole);

/// A scene in parts on its machines.
struct PartsOnMachines {
  std::vector<PartOnMachine> parts;
  std::vector<MachineOfParts> machines;
  Approach approach;

  PartsOnMachines() = default;
  ~PartsOnMachines();

  PartBoxes boxes() const;
};

/// Rays that are divided among routers.
class Exchange {
 public:
  /// `scene` must outlive it.
  explicit Exchange(const PartsOnMachines& scene);
  ~Exchange();

  /// Takes rays[count], and which of their hits count.
  void take(const Ray* rays, u32 count, const HitFilter& filter = {});
  /// Casts them, as ResidentScene::cast does, without visits.
  CastCounts cast(RayKind kind, const CastChoice& choice);
  /// Copies the hits to hits[count].
  void results(Hit* hits);
  /// Gives back the memory for rays.
  void release();

  /// How many machines route rays.
  std::size_t routers() const { return routes_.size(); }

 private:
  /// A router, and which of the rays it has.
  struct Route {
    std::unique_ptr<RayRouter> router;
    const MachineOfParts* machine;  // null: the one router in host memory, in the caller's thread
    u32 first = 0, count = 0;
    bool is_live = false;  // some of its rays are on their way
  };

  /// Calls work(route) for all, each in its thread. An error of a machine names it.
  void on_routes(const std::function<void(Route&)>& work);
  void free_routers();

  const PartsOnMachines& scene_;
  std::vector<Route> routes_;
  u32 count_ = 0;
  const u32* instance_masks_ = nullptr;  // see HitFilter
};

/// Answers a batch of a query whose results are added, or joined; see AcrossParts.
void add_across_parts(const PartsOnMachines& scene, const Query& batch);
void join_across_parts(const PartsOnMachines& scene, const Query& batch);

}  // namespace ballotcast::detail
