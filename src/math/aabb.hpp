// Axis-aligned boxes.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A closed axis-aligned box. A default-constructed box is empty (low > high).
struct Aabb {
  // std::numeric_limits is not used here, because with it nvcc 13 fails at arrays of such boxes in
  // a kernel.
  vec3 low = vec3(float_of(0x7f800000u));
  vec3 high = vec3(float_of(0xff800000u));

  /// Grows to contain `point`.
  BC_HD void include(vec3 point) {
    low = min_of(low, point);
    high = max_of(high, point);
  }

  /// Grows to contain `other`.
  BC_HD void include(const Aabb& other) {
    low = min_of(low, other.low);
    high = max_of(high, other.high);
  }

  /// True if the box contains no point.
  BC_HD bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }

  /// True if every point of `other` lies in this box.
  BC_HD bool contains(const Aabb& other) const {
    return low.x <= other.low.x && low.y <= other.low.y && low.z <= other.low.z &&
           high.x >= other.high.x && high.y >= other.high.y && high.z >= other.high.z;
  }

  BC_HD vec3 extent() const { return high - low; }
  BC_HD vec3 center() const { return low * 0.5f + high * 0.5f; }

  /// Half the surface area; 0 if the box is empty. Half is enough, because the surface area
  /// heuristic needs only ratios.
  BC_HD float half_area() const {
    if (empty()) return 0.0f;
    const vec3 e = extent();
    return e.x * e.y + e.y * e.z + e.z * e.x;
  }
};

/// Half the surface area of a box that is not empty, with the same bits on every machine. Host and
/// device compare these bits when they build the same tree. The order of additions differs from
/// Aabb::half_area.
BC_HD inline float half_area_of(vec3 low, vec3 high) {
  const float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
  return (x + y) * z + x * y;
}

/// The largest magnitude of a coordinate of a box that is not empty.
BC_HD inline float largest_magnitude(const Aabb& box) {
  return max_of(largest_magnitude(box.low), largest_magnitude(box.high));
}

}  // namespace ballotcast::detail
