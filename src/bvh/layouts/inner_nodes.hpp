// Numbers the inner nodes of a tree, for layouts whose nodes have two children.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/reference.hpp"

namespace ballotcast::detail {

/// Inner nodes keep their relative order, so an encoded tree is depth first like the tree itself.
class InnerNodes {
 public:
  explicit InnerNodes(const BinaryTree& tree) : tree_(tree), index_(tree.nodes.size(), 0) {
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
      if (!tree.nodes[i].is_leaf()) index_[i] = count_++;
  }

  u32 count() const { return count_; }
  /// The number of the inner node tree.nodes[i].
  u32 index(u32 i) const { return index_[i]; }
  /// The reference to any node tree.nodes[i]: an inner node or a leaf.
  u32 reference(u32 i) const {
    const Node2& n = tree_.nodes[i];
    return n.is_leaf() ? leaf_reference(n.first, n.count) : index_[i];
  }

 private:
  const BinaryTree& tree_;
  std::vector<u32> index_;
  u32 count_ = 0;
};

}  // namespace ballotcast::detail
