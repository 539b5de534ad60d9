// Children of bvh2's nodes, for people to read.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/layouts/inspected_child.hpp"

namespace ballotcast::detail::bvh2 {

inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs, const TreeShape&) {
  const vec4 xy = side == 0 ? n.box0_xy : n.box1_xy;
  const float low_z = side == 0 ? n.box_z.x : n.box_z.z;
  const float high_z = side == 0 ? n.box_z.y : n.box_z.w;
  const Entry entry = enter_box(slabs, unbounded(), xy.x, xy.y, xy.z, xy.w, low_z, high_z);
  return {side == 0 ? n.to.child0 : n.to.child1,
          {{xy.x, xy.z, low_z}, {xy.y, xy.w, high_z}},
          entry.distance};
}

}  // namespace ballotcast::detail::bvh2
