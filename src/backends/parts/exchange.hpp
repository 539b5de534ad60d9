// Rays on their way through a scene in parts, step by step: the machines that hold parts cast, and
// routers send rays from part to part (kernels/parts/route.hpp).
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
#include <vector>

#include "backends/parts/seated_parts.hpp"

namespace ballotcast::detail {

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

/// Answers a batch of a query whose results are added, or joined; see AcrossParts.
void add_across_parts(const SeatedParts& scene, const Query& batch);
void join_across_parts(const SeatedParts& scene, const Query& batch);

}  // namespace ballotcast::detail
