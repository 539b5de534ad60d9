// Subtrees that several threads build in parallel, and a function that joins them into one tree.
//
// The number of nodes of a subtree is not known before it is built. So each small subtree is a
// separate tree with its own node indices, and the nodes above only point to it. When the subtrees
// are joined, every node gets its final index.
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
  u32 places = 0;  // number of elements in `order`
  u32 depth = 0;
};

/// Stores trees in a few large blocks. Freed blocks are returned to the system. Thousands of small
/// arrays would instead stay in the heap, in addition to the tree into which they were copied.
class SubtreeStore {
 public:
  /// Copies a tree that has at least one node. Several threads may call this at the same time.
  StoredTree keep(const BinaryTree& tree);

 private:
  /// Returns memory for `bytes` bytes, a multiple of 4.
  std::byte* take(std::size_t bytes);

  std::mutex mutex_;  // protects all members below
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;  // the first free byte of the last block
  std::size_t free_ = 0;       // number of free bytes in this block
};

/// A subtree: either two smaller subtrees below a root, or a whole tree.
struct BuiltSubtree {
  Aabb box;                                   // box of the root, if there are two subtrees
  std::unique_ptr<BuiltSubtree> left, right;  // both subtrees, or none
  StoredTree whole;                           // the whole tree, if there are no subtrees

  bool is_whole() const { return left == nullptr; }
};

/// Copies a tree into another tree. Its root is stored at tree.nodes[index], which is at level
/// `depth` there. Its other nodes and its triangles are appended.
void add_whole(const StoredTree& stored, u32 index, u32 depth, BinaryTree& tree);

/// Joins all subtrees into one tree, with nodes in depth-first order and leaves in traversal order.
/// The nodes and leaves of each subtree must already have this order.
BinaryTree joined(const BuiltSubtree& root);

}  // namespace ballotcast::detail
