// Layout bvh2: plain float boxes, two children a node. The reference that other layouts are
// measured against.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail::bvh2 {

/// Where a node's children and its parent are.
struct alignas(16) References {
  u32 child0;
  u32 child1;
  u32 parent;  // node index; the root's is 0
  u32 unused;
};

/// A node holds its children's boxes, not its own (T. Aila, S. Laine, Understanding the Efficiency
/// of Ray Traversal on GPUs, 2009): one 64-byte fetch decides both.
struct alignas(64) Node {
  vec4 box0_xy;  // child 0: low x, high x, low y, high y
  vec4 box1_xy;  // child 1
  vec4 box_z;    // child 0: low z, high z; child 1: low z, high z
  References to;
};
static_assert(sizeof(Node) == 64);

}  // namespace ballotcast::detail::bvh2
