// Subtrees that several threads build at the same time, and the tree that they become together.
//
// The number of nodes of a subtree is not known before it is built. So each small subtree is a tree
// of its own, with its own node numbers, and the nodes above only point to it. Joining the subtrees
// gives every node its final place.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

/// A tree whose arrays lie in a SubtreeStore.
struct StoredTree {
  const Node2* nodes = nullptr;
  const u32* order = nullptr;
  u32 node_count = 0;
  u32 places = 0;  // of `order`
  u32 depth = 0;
};

/// Keeps trees in few large blocks. Freed blocks go back to the system, while thousands of small
/// arrays would stay in the heap beside the tree to which they were copied.
class SubtreeStore {
 public:
  /// Copies a tree that has at least one node. Several threads may call this at the same time.
  StoredTree keep(const BinaryTree& tree);

 private:
  /// Memory for `bytes`, a multiple of 4.
  std::byte* take(std::size_t bytes);

  std::mutex mutex_;  // guards all members below
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;  // the first free byte of the last block
  std::size_t free_ = 0;       // bytes from there on
};

/// A subtree: either two smaller subtrees below a root, or a whole tree.
struct BuiltSubtree {
  Aabb box;                                   // of the root, if there are two subtrees
  std::unique_ptr<BuiltSubtree> left, right;  // both, or none
  StoredTree whole;                           // if there are none

  bool is_whole() const { return left == nullptr; }
};

/// Copies a tree into another one. Its root goes to tree.nodes[index], which is `depth` levels
/// below the root there. Its other nodes and its triangles are appended.
void add_whole(const StoredTree& stored, u32 index, u32 depth, BinaryTree& tree);

/// Joins all subtrees into one tree: nodes depth first, leaves in the order of the walk. Each
/// subtree must have that order already.
BinaryTree joined(const BuiltSubtree& root);

}  // namespace ballotcast::detail
