// Maps from the coordinates of a node to those of the world, for formats with a scene graph.
#pragma once

#include <algorithm>
#include <cmath>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A linear map and a translation: p becomes x * p.x + y * p.y + z * p.z + at.
struct Affine {
  dvec3 x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  dvec3 at{0.0};

  dvec3 direction(dvec3 v) const { return x * v.x + y * v.y + z * v.z; }
  dvec3 point(dvec3 p) const { return direction(p) + at; }
  /// True if all numbers are 0, as in kHidden.
  bool hides() const {
    const dvec3 zero(0.0);
    return x == zero && y == zero && z == zero && at == zero;
  }
  /// True if it turns triangles over, as a mirror does.
  bool mirrors() const { return dot(cross(x, y), z) < 0.0; }
  /// The normal of a surface after the map; of any length.
  dvec3 normal(dvec3 n) const {
    // The matrix of cofactors, which is the transposed inverse times the determinant.
    dvec3 turned = cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z;
    if (mirrors()) turned = -turned;
    const double size = std::max({std::abs(turned.x), std::abs(turned.y), std::abs(turned.z)});
    return size > 0.0 && (size < 1e-9 || size > 1e9) ? turned / size : turned;
  }
};

/// First `inner`, then `outer`.
inline Affine composed(const Affine& outer, const Affine& inner) {
  return {outer.direction(inner.x), outer.direction(inner.y), outer.direction(inner.z),
          outer.point(inner.at)};
}

}  // namespace ballotcast::detail
