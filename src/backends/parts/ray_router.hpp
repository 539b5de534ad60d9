// What sends rays from part to part of a scene: in the memory of a machine, by its kernels.
#pragma once

#include <memory>
#include <vector>

#include "kernels/parts/route.hpp"

namespace ballotcast::detail {

/// The rays for a part, in the memory of the router's machine.
struct PartList {
  const u32* numbers;  // of the rays
  const Ray* rays;
  Hit* hits;  // to be written
  u32 count;
};

/// Rays on their way through the parts: take, begin, then rounds of route and merge until no list
/// has rays, then end. See kernels/parts/route.hpp.
class RayRouter {
 public:
  virtual ~RayRouter() = default;

  /// Copies rays[count], which are in host memory.
  virtual void take(const Ray* rays, u32 count) = 0;
  /// All rays start, without hits.
  virtual void begin(RayKind kind) = 0;
  /// Finds the next part for each ray that was in a list of the last round, at first for all. When
  /// it returns, the lists are there for all machines. Returns false if all lists are empty.
  virtual bool route() = 0;
  /// Instead of a round: the list of one part gets all rays that enter it.
  virtual void route_all_to(u32 part) = 0;
  virtual PartList list(u32 part) const = 0;
  /// The hits of all lists are written: keeps the best for each ray.
  virtual void merge() = 0;
  /// Makes the hits those of the given rays.
  virtual void end() = 0;
  /// Copies the hits to host memory.
  virtual void results(Hit* hits) = 0;
  /// Gives back the memory for rays.
  virtual void release() = 0;
};

/// The boxes of all parts, and what the whole scene says of rays.
struct PartBoxes {
  std::vector<Aabb> boxes;
  Approach scene;
};

/// In host memory, on all threads.
std::unique_ptr<RayRouter> make_host_router(const PartBoxes& parts);

}  // namespace ballotcast::detail
