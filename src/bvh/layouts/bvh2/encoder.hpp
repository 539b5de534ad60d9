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
    Node& node = nodes[number];
    node.box0_xy = {a.low.x, a.high.x, a.low.y, a.high.y};
    node.box1_xy = {b.low.x, b.high.x, b.low.y, b.high.y};
    node.box_z = {a.low.z, a.high.z, b.low.z, b.high.z};
    node.to.child0 = a.reference;
    node.to.child1 = b.reference;
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
