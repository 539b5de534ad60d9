#include "render/point_order.hpp"

#include "bvh/ploc/keys.hpp"
#include "support/radix_sort.hpp"

namespace ballotcast::detail {

namespace {

/// Keys of 24 bits tell 256 cells per axis apart. More would make sorting cost more than it saves.
constexpr u32 kSortedBits = 24;

vec3 float_point(const Vec3f& p) { return p; }
vec3 float_point(const Vec3d& p) { return vec3(dvec3(p)); }

/// Calls visit(i) for every i below `count`, on all threads.
template <class Visit>
void for_each_point(std::size_t count, Visit visit) {
  for_each_range<std::size_t>(count, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) visit(i);
  });
}

}  // namespace

template <class Point>
PointsAlongCurve<Point>::PointsAlongCurve(Span<const Point> points, const RayWorlds& worlds,
                                          const Aabb& box)
    : place_(points.size()),
      points_(points.size()),
      all_(worlds.all),
      worlds_(worlds.each ? points.size() : 0) {
  const ploc::KeyGrid grid = ploc::key_grid(box.low, box.high);
  std::vector<u64> keys(points.size());
  for_each_point(points.size(), [&](std::size_t i) {
    keys[i] = ploc::key_of(grid, float_point(points[i])) >> (ploc::kKeyBits - kSortedBits);
    place_[i] = static_cast<u32>(i);
  });
  sort_by_key(keys, place_, kSortedBits);
  for_each_point(points.size(), [&](std::size_t i) { points_[i] = points[place_[i]]; });
  for_each_point(worlds_.size(), [&](std::size_t i) { worlds_[i] = worlds.each[place_[i]]; });
}

template class PointsAlongCurve<Vec3f>;
template class PointsAlongCurve<Vec3d>;

}  // namespace ballotcast::detail
