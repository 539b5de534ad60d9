// The tree that builders make and layouts read: binary, one box a node.
#pragma once

#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// One node. Inner: count == 0 and its children are nodes[first] and nodes[first + 1].
/// Leaf: count > 0 and it holds order[first .. first + count).
struct Node2 {
  Aabb box;
  u32 first = 0;
  u32 count = 0;

  bool is_leaf() const { return count > 0; }
};

/// A bounding volume hierarchy over the triangles of a mesh. nodes[0] is the root; children come
/// after their parent, depth first; a mesh without triangles has no nodes. A triangle may stand in
/// several leaves: then every point of it lies in the box of one of them.
struct BinaryTree {
  std::vector<Node2> nodes;
  std::vector<u32> order;  // triangle ids in leaf order
};

/// How a tree lies in the world: what a walk needs besides nodes.
struct TreeShape {
  vec3 cell;    // of layouts with boxes on a grid: the world's place of code q in [1, 2) is
  vec3 corner;  //   q * cell + corner
  u32 root;     // where a walk starts, a reference of the layout's
  u32 depth;    // inner nodes on the longest path from the root to a leaf
};

/// Inner nodes on the longest path from the root to a leaf.
u32 depth_of(const BinaryTree& tree);

/// No path from the root to a leaf is longer than this: walks keep one bit a level in a 64-bit
/// word.
inline constexpr u32 kDeepestLevel = 62;

/// The most triangles in one leaf: layouts name a leaf's count in 3 bits.
inline constexpr u32 kLargestLeaf = 8;

}  // namespace ballotcast::detail
