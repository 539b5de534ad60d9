// Layout grid2: two children per node, with boxes on a grid of 65536 cells per axis over the whole
// scene. A node has half the size of a bvh2 node. Rounding moves each side of a box outwards by
// less than one cell.
#pragma once

#include "bvh/layouts/children.hpp"

namespace ballotcast::detail::grid2 {

/// A child: its box as codes (numbers of grid planes, 0..65535), and its reference.
///
///   word        bits 31..16   bits 15..0
///   x           high x        low x
///   y           high y        low y
///   z           high z        low z
///   reference   see children.hpp
struct alignas(16) Child {
  u32 x, y, z;
  u32 reference;
};

struct alignas(32) Node {
  Child child[2];
};
static_assert(sizeof(Node) == 32);

/// Adapts a node to an array in which several trees are stored one after the other. `nodes` and
/// `leaves` are the numbers of nodes and of leaf elements before the node's tree.
BC_HD inline void move_references(Node& node, u32 nodes, u32 leaves) {
  for (Child& child : node.child) child.reference = moved_reference(child.reference, nodes, leaves);
}

/// The box of a child. The plane of a code lies on the outer side of the float that was encoded,
/// except for the rounding error of Axis::place: with u = 2^-53, this is 6 u times the scale of the
/// axis, and the scale is at most 2.1 times the largest coordinate. Rounding the plane to a float
/// keeps the order.
BC_HD inline Aabb box_of(const Child& c, const TreeShape& shape) {
  const vec3 scale = shape.code_scale, offset = shape.code_offset;
  return {{fused(first_code(c.x, kLowFirst), scale.x, offset.x),
           fused(first_code(c.y, kLowFirst), scale.y, offset.y),
           fused(first_code(c.z, kLowFirst), scale.z, offset.z)},
          {fused(last_code(c.x, kLowFirst), scale.x, offset.x),
           fused(last_code(c.y, kLowFirst), scale.y, offset.y),
           fused(last_code(c.z, kLowFirst), scale.z, offset.z)}};
}

/// The boxes and references of a node's children, with the boxes decoded to floats.
BC_HD inline ChildBoxes boxes_of(const Node& n, const TreeShape& shape) {
  return {{box_of(n.child[0], shape), box_of(n.child[1], shape)},
          {n.child[0].reference, n.child[1].reference}};
}

}  // namespace ballotcast::detail::grid2
