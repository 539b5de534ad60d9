// Subtrees that several threads build at the same time, and how they become one tree.
//
// Nobody knows how many nodes a subtree will have before it is built. So each small subtree is a
// tree of its own, with its own numbers of nodes, and the nodes above it only point to it. Joining
// them gives every node its final place.
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

/// Keeps trees in few large blocks, which go back to the system when they are freed. Thousands of
/// small arrays would stay in the heap, beside the tree that they were copied to.
class SubtreeStore {
 public:
  /// Copies a tree that has at least one node. Threads may do that at the same time.
  StoredTree keep(const BinaryTree& tree);

 private:
  /// Memory for `bytes`, a multiple of 4.
  std::byte* take(std::size_t bytes);

  std::mutex mutex_;  // of all that follows
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;  // the first free byte of the last block
  std::size_t free_ = 0;       // bytes from there on
};

/// A subtree. It is either two smaller ones below a root, or a whole tree.
struct BuiltSubtree {
  Aabb box;                                   // of the root, if there are two
  std::unique_ptr<BuiltSubtree> left, right;  // both, or none
  StoredTree whole;                           // else

  bool is_whole() const { return left == nullptr; }
};

/// Copies a tree into another one: its root to tree.nodes[index], which is `depth` levels below the
/// root there, its other nodes behind the last one, and its triangles behind the last one.
void add_whole(const StoredTree& stored, u32 index, u32 depth, BinaryTree& tree);

/// Makes one tree of all subtrees: nodes depth first, leaves in the order of the walk. Each must
/// have that order already.
BinaryTree joined(const BuiltSubtree& root);

}  // namespace ballotcast::detail
