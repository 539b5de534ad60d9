// The order in which closest points are searched for.
#pragma once

#include <vector>

#include "ballotcast/ray.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// Points in the order of a space-filling curve through `box`; those outside as if they were at its
/// side. Points that follow one another then visit the same parts of a tree, which are in a cache
/// already.
class PointsAlongCurve {
 public:
  /// There are less than 2^32 points.
  PointsAlongCurve(Span<const Vec3f> points, const Aabb& box);

  const std::vector<Vec3f>& points() const { return points_; }

  /// Copies `sorted`, which is in the order of points(), to the places of the given points.
  void put_back(const std::vector<Nearest>& sorted, Nearest* to) const;

 private:
  std::vector<u32> place_;  // of each point, among those given
  std::vector<Vec3f> points_;
};

}  // namespace ballotcast::detail
