// Casts rays through a scene in parts, step by step. The machines that hold parts cast the rays;
// routers send rays from part to part (kernels/parts/route.hpp).
//
//                      rays 0 .. n/2                 rays n/2 .. n
//   machine thread 0   route -> lists \   / cast part 0's lists    -> merge -> route ..
//                                      \ /  (one from each router)
//                                      / \                                        .
//   machine thread 1   route -> lists /   \ cast part 1's lists    -> merge -> route ..
//
// Each step begins when all machines have finished the step before it. A machine reads the rays of
// a list from the router's memory and writes their hits there. GPUs do so over the link between
// them, if they have one. If machines are of several backends, there is one router, in host memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "backends/parts/parts.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/several/machines.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {

/// A part on the machine that holds it.
struct PartOnMachine {
  ScenePart part;
  std::unique_ptr<ResidentScene> scene;
};

/// A machine, its thread, and its parts. The parts are made, used and freed in this thread.
struct MachineOfParts {
  std::string name;
  std::unique_ptr<MachineThread> thread;
  std::vector<std::size_t> parts;  // indices of the parts
  /// Makes a router in memory from which all these machines can copy. Null if this is impossible.
  std::function<std::unique_ptr<RayRouter>(const PartBoxes&)> make_router;
};

/// Runs work(). If the machine fails, its name is added to the error.
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

/// Calls work(machine, part) for each part of each machine, in the threads of the machines. Errors
/// name the machine.
void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work);

/// The data of the whole scene that a traversal of a part needs. With the values of the part alone,
/// results would have other bits.
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
  /// `scene` must outlive this object.
  explicit Exchange(const PartsOnMachines& scene);
  ~Exchange();

  /// Sets the rays rays[0 .. count), and a filter that says which of their hits count.
  void take(const Ray* rays, u32 count, const HitFilter& filter = {});
  /// Casts these rays as ResidentScene::cast does, without visits.
  CastCounts cast(RayKind kind, const CastChoice& choice);
  /// Copies the hits to hits[0 .. count).
  void results(Hit* hits);
  /// Frees the memory for rays.
  void release();

  /// The number of machines that route rays.
  std::size_t routers() const { return routes_.size(); }

 private:
  /// A router, and the range of rays that it routes.
  struct Route {
    std::unique_ptr<RayRouter> router;
    const MachineOfParts* machine;  // null: the router in host memory, in the caller's thread
    u32 first = 0, count = 0;
    bool is_live = false;  // true if some of its rays are not finished
  };

  /// Calls work(route) for all routes, each in its thread. Errors name the machine.
  void on_routes(const std::function<void(Route&)>& work);
  void free_routers();

  const PartsOnMachines& scene_;
  std::vector<Route> routes_;
  u32 count_ = 0;
  const u32* instance_masks_ = nullptr;  // masks of instances; null: all bits are set
};

/// Answers a batch of a query for which the results of the parts are added or joined; see
/// AcrossParts.
void add_across_parts(const PartsOnMachines& scene, const Query& batch);
void join_across_parts(const PartsOnMachines& scene, const Query& batch);

}  // namespace ballotcast::detail
