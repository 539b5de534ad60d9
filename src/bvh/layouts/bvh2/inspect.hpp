// Children of bvh2's nodes, for people to read.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/bvh2/boxes.hpp"
#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/layouts/inspected_child.hpp"

namespace ballotcast::detail::bvh2 {

inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs, const TreeShape&) {
  const ChildBoxes children = boxes_of(n);
  const Aabb& box = children.box[side];
  const Entry entry = enter_box(slabs, unbounded(), box.low.x, box.high.x, box.low.y, box.high.y,
                                box.low.z, box.high.z);
  return {children.reference[side], box, entry.distance};
}

}  // namespace ballotcast::detail::bvh2
