// What trees are built of: triangles, or parts of triangles. Host and device share this code.
#pragma once

#include "math/aabb.hpp"

namespace ballotcast::detail::ploc {

/// The elements that a tree is built of.
struct TriangleView {
  const vec3* positions;
  const uvec3* triangles;
  const u32* ids;               // per element: the triangle; null: element i is triangle i
  u32 count;                    // of elements
  const Aabb* boxes = nullptr;  // per element; null: elements are whole triangles

  BC_HD u32 id(u32 i) const { return ids ? ids[i] : i; }
  BC_HD vec3 corner(u32 i, u32 k) const {
    const uvec3 corners = triangles[id(i)];
    return positions[k == 0 ? corners.x : k == 1 ? corners.y : corners.z];
  }
  BC_HD Aabb box(u32 i) const {
    if (boxes) return boxes[i];
    const vec3 a = corner(i, 0), b = corner(i, 1), c = corner(i, 2);
    return {min_of(min_of(a, b), c), max_of(max_of(a, b), c)};
  }
};

BC_HD inline vec3 center_of(const Aabb& box) { return box.low * 0.5f + box.high * 0.5f; }

}  // namespace ballotcast::detail::ploc
