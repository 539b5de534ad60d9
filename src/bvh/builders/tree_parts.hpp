// A tree in parts: what several threads build at the same time, and how it becomes one tree.
//
// Nobody knows how many nodes a subtree will have before it is built. So each small subtree is a
// tree of its own, with its own numbers of nodes, and the nodes above it only point to it. Joining
// the parts gives every node its final place.
#pragma once

#include <memory>

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

/// A subtree. It is either two smaller ones below a root, or a whole tree.
struct TreeParts {
  Aabb box;                                // of the root, if there are two parts
  std::unique_ptr<TreeParts> left, right;  // both, or none
  BinaryTree whole;                        // if there are no parts; at least one node

  bool is_whole() const { return left == nullptr; }
};

/// Makes one tree of all parts: nodes depth first, leaves in the order of the walk. Each part must
/// have that order already. Frees the memory of each part as soon as it is copied.
BinaryTree joined(TreeParts parts);

}  // namespace ballotcast::detail
