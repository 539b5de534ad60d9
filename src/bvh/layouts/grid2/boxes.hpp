// The boxes in grid2's nodes, in plain form.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/child_boxes.hpp"
#include "bvh/layouts/grid2/node.hpp"

namespace ballotcast::detail::grid2 {

/// The box of a child. A side is a float, and the plane of its code lies on the outer side of that,
/// but for the rounding of Axis::place: with u = 2^-53, 6 u of the axis's scale, which is at most
/// 2.1 times the largest coordinate. Rounding the plane to a float keeps that order.
BC_HD inline Aabb box_of(const Child& c, const TreeShape& shape) {
  const vec3 scale = shape.code_scale, offset = shape.code_offset;
  return {{fused(first_code(c.x, kLowFirst), scale.x, offset.x),
           fused(first_code(c.y, kLowFirst), scale.y, offset.y),
           fused(first_code(c.z, kLowFirst), scale.z, offset.z)},
          {fused(last_code(c.x, kLowFirst), scale.x, offset.x),
           fused(last_code(c.y, kLowFirst), scale.y, offset.y),
           fused(last_code(c.z, kLowFirst), scale.z, offset.z)}};
}

BC_HD inline ChildBoxes boxes_of(const Node& n, const TreeShape& shape) {
  return {{box_of(n.child[0], shape), box_of(n.child[1], shape)},
          {n.child[0].reference, n.child[1].reference}};
}

}  // namespace ballotcast::detail::grid2
