// The tree that builders make and layouts read: a binary tree with one box per node.
#pragma once

#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// One node. Inner node: count == 0, and its children are nodes[first] and nodes[first + 1]. Leaf:
/// count > 0, and its triangles are order[first .. first + count).
struct Node2 {
  Aabb box;
  u32 first = 0;
  u32 count = 0;

  bool is_leaf() const { return count > 0; }
  /// The number of an inner node; see BinaryTree.
  u32 number() const { return first / 2; }
};

/// A bounding volume hierarchy over the triangles of a mesh. nodes[0] is the root; the others are
/// in pairs of siblings. Inner nodes are numbered by the places of their children: number k has the
/// children nodes[2 k + 1] and nodes[2 k + 2], and the root has number 0 if it is an inner node.
///
///   nodes   [ root | children of 0 | children of 1 | children of 2 | ... ]
///
/// A mesh without triangles has no nodes. A triangle may be in several leaves; then each of its
/// points lies in the box of at least one of them.
struct BinaryTree {
  std::vector<Node2> nodes;
  std::vector<u32> order;  // triangle ids in leaf order
  u32 depth = 0;           // number of inner nodes on the longest path from the root to a leaf

  u32 inner_nodes() const { return static_cast<u32>(nodes.size() / 2); }
};

/// What a walk needs besides the nodes.
struct TreeShape {
  // For layouts that store boxes as 16-bit codes: code c stands for the world coordinate
  // (1 + c / 65536) * code_scale + code_offset.
  vec3 code_scale;
  vec3 code_offset;
  u32 root;   // the reference at which a walk starts; see layouts/reference.hpp
  u32 depth;  // number of inner nodes on the longest path from the root to a leaf
};

/// The greatest depth of a leaf. Walks keep one bit per level in a 64-bit word.
inline constexpr u32 kDeepestLevel = 62;

/// The most triangles per leaf. References store the count of a leaf in 3 bits.
inline constexpr u32 kLargestLeaf = 8;

}  // namespace ballotcast::detail
