// The order in which closest points are searched for.
#pragma once

#include <vector>

#include "ballotcast/ray.hpp"
#include "math/aabb.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

/// Points in the order of a space-filling curve through `box`; those outside as if they were at its
/// side. Points that follow one another then visit the same parts of a tree, which are in a cache
/// already.
template <class Point>
class PointsAlongCurve {
 public:
  /// There are less than 2^32 points. `worlds`: those of the points.
  PointsAlongCurve(Span<const Point> points, const RayWorlds& worlds, const Aabb& box);

  const std::vector<Point>& points() const { return points_; }
  /// The worlds of points().
  RayWorlds worlds() const { return {all_, worlds_.empty() ? nullptr : worlds_.data()}; }

  /// Copies results in the order of points() to the places of the given points.
  template <class Result>
  void put_back(const std::vector<Result>& sorted, Result* to) const {
    for_each_range<std::size_t>(sorted.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[place_[i]] = sorted[i];
    });
  }

 private:
  std::vector<u32> place_;  // of each point, among those given
  std::vector<Point> points_;
  u32 all_;
  std::vector<u32> worlds_;  // of each of these points; empty if it is `all_`
};

}  // namespace ballotcast::detail
