// Layout bvh2: plain float boxes and two children per node. It is the reference layout that others
// are measured against.
#pragma once

#include "bvh/layouts/reference.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail::bvh2 {

/// The indices of a node's children and of its parent.
struct alignas(16) References {
  u32 child0;
  u32 child1;
  u32 parent;  // index of a node; that of the root is its own
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

/// Makes a node one of several trees behind one another. `nodes`, `leaves`: how many nodes and
/// elements of leaves lie before its tree.
inline void move_references(Node& node, u32 nodes, u32 leaves) {
  node.to.child0 = moved_reference(node.to.child0, nodes, leaves);
  node.to.child1 = moved_reference(node.to.child1, nodes, leaves);
  node.to.parent += nodes;
}

}  // namespace ballotcast::detail::bvh2
