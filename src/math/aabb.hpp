// Axis-aligned boxes.
#pragma once

#include <limits>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A closed axis-aligned box. A default-constructed box is empty (low > high).
struct Aabb {
  vec3 low{std::numeric_limits<float>::infinity()};
  vec3 high{-std::numeric_limits<float>::infinity()};

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
  bool contains(const Aabb& other) const {
    return low.x <= other.low.x && low.y <= other.low.y && low.z <= other.low.z &&
           high.x >= other.high.x && high.y >= other.high.y && high.z >= other.high.z;
  }

  vec3 extent() const { return high - low; }
  vec3 center() const { return low * 0.5f + high * 0.5f; }

  /// Half the surface area; 0 if the box is empty. The surface area heuristic needs only ratios, so
  /// half is enough.
  float half_area() const {
    if (empty()) return 0.0f;
    const vec3 e = extent();
    return e.x * e.y + e.y * e.z + e.z * e.x;
  }
};

/// A box without points, on every machine: nvcc 13 can't compile the default constructor in
/// kernels.
BC_HD inline Aabb empty_box() {
  const float far = float_of(0x7f800000u);
  return {vec3(far), vec3(-far)};
}

/// Half the surface area of a box that is not empty, on every machine. Trees that host and device
/// build alike compare these bits. Aabb::half_area adds in another order.
BC_HD inline float half_area_of(vec3 low, vec3 high) {
  const float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
  return (x + y) * z + x * y;
}

/// The largest magnitude of a coordinate of a box that is not empty.
BC_HD inline float largest_magnitude(const Aabb& box) {
  return max_of(largest_magnitude(box.low), largest_magnitude(box.high));
}

}  // namespace ballotcast::detail
