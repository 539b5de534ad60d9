// How nodes refer to their children in every layout, and the children of a node in plain forms.
#pragma once

#include "bvh/tree_shape.hpp"
#include "math/aabb.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A reference is the index of a node, or a leaf, or kNowhere.
///
///   bit     31   30 .. 3          2 .. 0
///   node     0   index of the node
///   leaf     1   first triangle   number of triangles - 1      of a tree with LeafForm{}
///
/// Other trees divide the bits of their leaves differently: their LeafForm says how. Leaves of
/// instances, and of trees below instances, always have LeafForm{}.
inline constexpr u32 kLeafBit = 0x80000000u;

/// A reference to nothing: a missing child, the root of an empty tree, or the end of a walk. No
/// leaf has this reference, because no tree has so many triangles: see kMostTriangles.
inline constexpr u32 kNowhere = 0xffffffffu;

BC_HD constexpr u32 leaf_reference(u32 first, u32 count, LeafForm form = {}) {
  return kLeafBit | (first << form.count_bits) | (count - 1u);
}
// Read as signed numbers, nodes are not negative, kNowhere is -1, and leaves are below -1. So each
// of these tests is a single comparison.
BC_HD inline bool is_node(u32 reference) { return static_cast<i32>(reference) >= 0; }
BC_HD inline bool is_leaf(u32 reference) { return static_cast<i32>(reference) < -1; }
BC_HD inline bool is_somewhere(u32 reference) { return reference != kNowhere; }
BC_HD inline u32 leaf_first(u32 reference, LeafForm form = {}) {
  return (reference & ~kLeafBit) >> form.count_bits;
}
BC_HD inline u32 leaf_count(u32 reference, LeafForm form = {}) {
  return (reference & form.count_mask) + 1u;
}

/// Adapts a reference to an array of several trees, one behind the other. `nodes`, `leaves`: how
/// many nodes and elements of leaves lie before the reference's tree.
BC_HD inline u32 moved_reference(u32 reference, u32 nodes, u32 leaves, LeafForm form = {}) {
  if (is_node(reference)) return reference + nodes;
  return is_leaf(reference) ? reference + (leaves << form.count_bits) : kNowhere;
}

/// Which children of a node a ray enters, and in which order.
struct ChildOrder {
  bool any, both;
  u32 nearer, farther;  // references; `farther` is valid only if the ray enters both children
};

/// The children of a node with their boxes.
struct ChildBoxes {
  // The boxes as the layout stores them, which may be larger than in the tree. Rounding may move a
  // side inwards, by less than 2^-45 of the largest coordinate of the scene, or of 1e-30 (see
  // grid2::Grid::around). The box of a missing child is empty.
  Aabb box[2];
  u32 reference[2];
};

/// What a layout stores about a child: its box, and the reference to it.
struct EncodedChild {
  vec3 low, high;
  u32 reference;
};

/// Stored for a missing child: an empty box, so no walk ever enters it.
BC_HD inline EncodedChild no_child() { return {Aabb().low, Aabb().high, kNowhere}; }

/// A child of a node, as the layout stores it, in readable form; see render/explain.hpp. Each
/// layout has `InspectedChild inspect(const Node&, u32 side, const Slabs&, const TreeShape&)` in
/// its walk.hpp.
struct InspectedChild {
  u32 reference;
  Aabb box;     // as the layout stores it; may be larger than in the tree
  float entry;  // distance at which the ray enters the box, if it enters
};

}  // namespace ballotcast::detail
