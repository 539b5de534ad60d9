// How nodes of all layouts refer to their children, the children of a node in a common form, and
// the data that a traversal needs besides the nodes.
#pragma once

#include "math/aabb.hpp"
#include "math/portable.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The root and the depth of a tree, and its grid if the layout has one.
struct TreeShape {
  // For layouts that store boxes as 16-bit codes: code c stands for the world coordinate
  // (1 + c / 65536) * code_scale + code_offset.
  vec3 code_scale;
  vec3 code_offset;
  u32 root;   // the reference at which a traversal starts
  u32 depth;  // number of inner nodes on the longest path from the root to a leaf
};

/// The largest level of a leaf, because a traversal has one bit per level in a 64-bit word.
inline constexpr u32 kDeepestLevel = 62;

/// How references to the leaves of a tree divide their bits (see kLeafBit). Smaller leaves leave
/// more bits for the index of a triangle in a large tree.
///
///                  leaves of        first triangle   count
///   LeafForm{}     1 to 8           28 bits          3 bits
///   kSmallLeaves   1 or 2           30 bits          1 bit
struct LeafForm {
  u32 count_bits = 3;
  u32 count_mask = 7;  // the mask of the count; it is stored, so that kernels need not compute it
};
inline constexpr LeafForm kSmallLeaves{1, 1};

/// The largest number of triangles per leaf, and per leaf of a tree with kSmallLeaves.
inline constexpr u32 kLargestLeaf = LeafForm{}.count_mask + 1;
inline constexpr u32 kLargestSmallLeaf = kSmallLeaves.count_mask + 1;

/// The largest number of triangles in leaves of a tree whose leaves have LeafForm{}. Builders make
/// no larger tree at once: see builders/submeshes.hpp.
inline constexpr u64 kMostAtOnce = (u64{1} << (31 - LeafForm{}.count_bits)) - 1;

/// A reference is the index of a node, a leaf, or kNowhere.
///
///   bit     31   30 .. 3          2 .. 0
///   node     0   index of the node
///   leaf     1   first triangle   number of triangles - 1      of a tree with LeafForm{}
///
/// Other trees divide the bits of their leaves differently, as their LeafForm says. Leaves of
/// instances, and of trees below instances, always have LeafForm{}.
inline constexpr u32 kLeafBit = 0x80000000u;

/// A reference to nothing: a missing child, the root of an empty tree, or the end of a traversal.
/// No leaf has this reference, because no tree has so many triangles: see kMostTriangles.
inline constexpr u32 kNowhere = 0xffffffffu;

BC_HD constexpr u32 leaf_reference(u32 first, u32 count, LeafForm form = {}) {
  return kLeafBit | (first << form.count_bits) | (count - 1u);
}
// As signed numbers, references to nodes are not negative, kNowhere is -1, and leaves are below -1.
// So each of these tests is a single comparison.
BC_HD inline bool is_node(u32 reference) { return static_cast<i32>(reference) >= 0; }
BC_HD inline bool is_leaf(u32 reference) { return static_cast<i32>(reference) < -1; }
BC_HD inline bool is_somewhere(u32 reference) { return reference != kNowhere; }
BC_HD inline u32 leaf_first(u32 reference, LeafForm form = {}) {
  return (reference & ~kLeafBit) >> form.count_bits;
}
BC_HD inline u32 leaf_count(u32 reference, LeafForm form = {}) {
  return (reference & form.count_mask) + 1u;
}

/// Adapts a reference to an array in which several trees are stored one after the other. `nodes`
/// and `leaves` are the numbers of nodes and of leaf elements before the reference's tree.
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
  // side inwards by less than 2^-45 of the largest coordinate of the scene, or of 1e-30 (see
  // grid2::Grid::around). The box of a missing child is empty.
  Aabb box[2];
  u32 reference[2];
};

/// The data that a layout stores about a child: its box, and the reference to it.
struct EncodedChild {
  vec3 low, high;
  u32 reference;
};

/// The data of a missing child: an empty box, which no ray enters.
BC_HD inline EncodedChild no_child() { return {Aabb().low, Aabb().high, kNowhere}; }

/// A child of a node, as the layout stores it, for `ballotcast explain` (render/explain.hpp). Each
/// layout has `InspectedChild inspect(const Node&, u32 side, const Slabs&, const TreeShape&)` in
/// its walk.hpp.
struct InspectedChild {
  u32 reference;
  Aabb box;     // the box as the layout stores it; may be larger than in the tree
  float entry;  // distance at which the ray enters the box, if it enters
};

}  // namespace ballotcast::detail
