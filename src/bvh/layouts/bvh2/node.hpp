// Layout bvh2: float boxes and two children per node. It is the reference layout, with which other
// layouts are compared.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/children.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail::bvh2 {

/// The indices of a node's children and of its parent.
struct alignas(16) References {
  u32 child0;
  u32 child1;
  u32 parent;  // the index of the parent; the root is its own parent
  u32 unused;
};

/// A node holds its children's boxes, not its own, so that one 64-byte fetch decides about both
/// children (T. Aila, S. Laine, Understanding the Efficiency of Ray Traversal on GPUs, 2009).
///
///   byte     0        4        8        12
///    0       low x    high x   low y    high y     child 0
///   16       low x    high x   low y    high y     child 1
///   32       low z    high z   low z    high z     child 0, child 1
///   48       child0   child1   parent   unused     references
struct alignas(64) Node {
  vec4 box0_xy;
  vec4 box1_xy;
  vec4 box_z;
  References to;
};
static_assert(sizeof(Node) == 64);

/// Adapts a node to an array in which several trees are stored one after the other. `nodes` and
/// `leaves` are the numbers of nodes and of leaf elements before the node's tree.
inline void move_references(Node& node, u32 nodes, u32 leaves) {
  node.to.child0 = moved_reference(node.to.child0, nodes, leaves);
  node.to.child1 = moved_reference(node.to.child1, nodes, leaves);
  node.to.parent += nodes;
}

/// The boxes and references of a node's children.
BC_HD inline ChildBoxes boxes_of(const Node& n) {
  const vec4 a = n.box0_xy, b = n.box1_xy, z = n.box_z;
  return {{{{a.x, a.z, z.x}, {a.y, a.w, z.y}}, {{b.x, b.z, z.z}, {b.y, b.w, z.w}}},
          {n.to.child0, n.to.child1}};
}

struct Encoder {
  BC_HD static Encoder around(vec3, vec3, float) { return {}; }

  /// Stores all of a node except its parent, which `link` stores. Different threads may call
  /// `store` and `link` at the same time.
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
