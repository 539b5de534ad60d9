// References: how the nodes of every layout refer to their children.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A reference is the index of a node, or a leaf, or kNowhere.
///
///   bit     31   30 .. 3          2 .. 0
///   node     0   index of the node
///   leaf     1   first triangle   number of triangles - 1
inline constexpr u32 kLeafBit = 0x80000000u;
inline constexpr u32 kCountBits = 3;

/// A reference to nothing: a missing child, the root of an empty tree, or the end of a walk. No
/// leaf has this reference, because no mesh has so many triangles: see kMostTriangles.
inline constexpr u32 kNowhere = 0xffffffffu;

BC_HD constexpr u32 leaf_reference(u32 first, u32 count) {
  return kLeafBit | (first << kCountBits) | (count - 1u);
}
// Read as signed numbers, nodes are not negative, kNowhere is -1, and leaves are below -1. So each
// of these tests is one comparison.
BC_HD inline bool is_node(u32 reference) { return static_cast<i32>(reference) >= 0; }
BC_HD inline bool is_leaf(u32 reference) { return static_cast<i32>(reference) < -1; }
BC_HD inline bool is_somewhere(u32 reference) { return reference != kNowhere; }
BC_HD inline u32 leaf_first(u32 reference) { return (reference & ~kLeafBit) >> kCountBits; }
BC_HD inline u32 leaf_count(u32 reference) { return (reference & ((1u << kCountBits) - 1u)) + 1u; }

/// The reference in an array where `nodes` nodes and `leaves` elements of leaves lie before those
/// that it counts.
BC_HD inline u32 moved_reference(u32 reference, u32 nodes, u32 leaves) {
  if (is_node(reference)) return reference + nodes;
  return is_leaf(reference) ? reference + (leaves << kCountBits) : kNowhere;
}

/// Which children of a node a ray enters, and in which order.
struct ChildOrder {
  bool any, both;
  u32 nearer, farther;  // references; `farther` is valid only if the ray enters both children
};

}  // namespace ballotcast::detail
