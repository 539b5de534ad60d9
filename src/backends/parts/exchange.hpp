// Casts rays at a scene in parts: the machines that hold parts cast, and routers send rays from
// part to part (kernels/parts/route.hpp).
//
//                      rays 0 .. n/2                 rays n/2 .. n
//   machine thread 0   route -> lists \   / cast part 0's lists    -> merge -> route ..
//                                      \ /  (one from each router)
//                                      / \                                        .
//   machine thread 1   route -> lists /   \ cast part 1's lists    -> merge -> route ..
//
// Each step waits for the one before it on all machines. A machine reads the rays of a list, and
// writes their hits, where the router has them: on GPUs over the link between them, if they have
// one. If machines are of several backends or processes, there is one router, in host memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "backends/parts/cut.hpp"
#include "backends/parts/ray_router.hpp"
#include "backends/several/machine_thread.hpp"

namespace ballotcast::detail {

/// A part on its machine.
struct SeatedPart {
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

/// Calls work(machine, part) for each part of each machine, in the threads of the machines. An
/// error of a machine names it.
void on_parts(const std::vector<MachineOfParts>& machines,
              const std::function<void(std::size_t machine, std::size_t part)>& work);

/// What the whole scene says of rays.
Approach approach_of(const PreparedScene& whole);

/// A scene in parts on its machines.
struct SeatedParts {
  std::vector<SeatedPart> parts;
  std::vector<MachineOfParts> machines;
  Approach approach;

  SeatedParts() = default;
  ~SeatedParts();

  PartBoxes boxes() const;
};

/// Rays that are divided among routers.
class Exchange {
 public:
  /// `scene` must outlive it.
  explicit Exchange(const SeatedParts& scene);
  ~Exchange();

  /// Takes rays[count].
  void take(const Ray* rays, u32 count);
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

  const SeatedParts& scene_;
  std::vector<Route> routes_;
  u32 count_ = 0;
};

/// As ResidentScene::count_crossings and crossings.
void count_crossings_in_parts(const SeatedParts& scene, const Ray* rays, u32* counts, u32 count);
void crossings_in_parts(const SeatedParts& scene, const Ray* rays, const u64* starts, Hit* hits,
                        u32 count);

}  // namespace ballotcast::detail
