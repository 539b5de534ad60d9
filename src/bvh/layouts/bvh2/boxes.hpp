// The boxes in bvh2's nodes, in plain form.
#pragma once

#include "bvh/layouts/bvh2/node.hpp"
#include "bvh/layouts/child_boxes.hpp"

namespace ballotcast::detail::bvh2 {

BC_HD inline ChildBoxes boxes_of(const Node& n) {
  const vec4 a = n.box0_xy, b = n.box1_xy, z = n.box_z;
  return {{{{a.x, a.z, z.x}, {a.y, a.w, z.y}}, {{b.x, b.z, z.z}, {b.y, b.w, z.w}}},
          {n.to.child0, n.to.child1}};
}

}  // namespace ballotcast::detail::bvh2
