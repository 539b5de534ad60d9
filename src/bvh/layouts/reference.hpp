// References: how nodes of every layout name a child.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A reference is a node's index, or a leaf: the top bit, then the first triangle, then count - 1.
inline constexpr u32 kLeafBit = 0x80000000u;
inline constexpr u32 kCountBits = 3;

/// No child: where a walk ends. No leaf has this reference, for no mesh has so many triangles.
inline constexpr u32 kNowhere = 0xffffffffu;

BC_HD inline u32 leaf_reference(u32 first, u32 count) {
  return kLeafBit | (first << kCountBits) | (count - 1u);
}
// As signed numbers, nodes are not negative, kNowhere is -1, and leaves are below it: one
// comparison each.
BC_HD inline bool is_node(u32 reference) { return static_cast<i32>(reference) >= 0; }
BC_HD inline bool is_leaf(u32 reference) { return static_cast<i32>(reference) < -1; }
BC_HD inline bool is_somewhere(u32 reference) { return reference != kNowhere; }
BC_HD inline u32 leaf_first(u32 reference) { return (reference & ~kLeafBit) >> kCountBits; }
BC_HD inline u32 leaf_count(u32 reference) { return (reference & ((1u << kCountBits) - 1u)) + 1u; }

/// What a ray finds at a node: which children it enters, and in which order.
struct ChildOrder {
  bool any, both;
  u32 nearer, farther;  // references; `farther` only where it enters both
};

}  // namespace ballotcast::detail
