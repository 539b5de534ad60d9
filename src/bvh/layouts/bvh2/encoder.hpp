// Stores nodes of layout bvh2.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/bvh2/node.hpp"
#include "bvh/layouts/encoded_child.hpp"

namespace ballotcast::detail::bvh2 {

struct Encoder {
  BC_HD static Encoder around(vec3, vec3, float) { return {}; }

  /// Stores all of a node but its parent: see `link`. Both may happen at the same time.
  BC_HD static void store(Node* nodes, u32 number, const EncodedChild& a, const EncodedChild& b) {
    store_child(nodes, number, 0, a);
    store_child(nodes, number, 1, b);
  }
  BC_HD static void store_child(Node* nodes, u32 number, u32 side, const EncodedChild& child) {
    Node& node = nodes[number];
    const vec3 low = child.low, high = child.high;
    (side == 0 ? node.box0_xy : node.box1_xy) = {low.x, high.x, low.y, high.y};
    (side == 0 ? node.box_z.x : node.box_z.z) = low.z;
    (side == 0 ? node.box_z.y : node.box_z.w) = high.z;
    (side == 0 ? node.to.child0 : node.to.child1) = child.reference;
    if (side != 0) return;
    node.to.unused = 0;
    if (number == 0) node.to.parent = 0;
  }

  /// Stores the parent of a node.
  BC_HD static void link(Node* nodes, u32 number, u32 parent) { nodes[number].to.parent = parent; }

  BC_HD static TreeShape shape(u32, u32 depth) {
    return {vec3(0.0f), vec3(0.0f), 0u, depth > 1u ? depth : 1u};
  }
};

}  // namespace ballotcast::detail::bvh2
