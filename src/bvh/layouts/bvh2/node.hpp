// Layout bvh2: plain float boxes, two children a node. The reference that other layouts are
// measured against.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::bvh2 {

/// Where a node's children and its parent are.
struct alignas(16) References {
  u32 child0;  // references, below
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

/// A reference is a node's index, or a leaf: the top bit, then the first triangle, then count - 1.
inline constexpr u32 kLeafBit = 0x80000000u;
inline constexpr u32 kCountBits = 3;

/// A child that isn't there: its box is empty, so no walk ever takes it.
inline constexpr u32 kAbsent = 0xffffffffu;

BC_HD inline u32 leaf_reference(u32 first, u32 count) {
  return kLeafBit | (first << kCountBits) | (count - 1u);
}
BC_HD inline bool is_leaf(u32 reference) { return (reference & kLeafBit) != 0u; }
BC_HD inline u32 leaf_first(u32 reference) { return (reference & ~kLeafBit) >> kCountBits; }
BC_HD inline u32 leaf_count(u32 reference) { return (reference & ((1u << kCountBits) - 1u)) + 1u; }

}  // namespace ballotcast::bvh2
