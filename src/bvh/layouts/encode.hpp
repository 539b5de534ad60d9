// Encodes trees on the host.
#pragma once

#include "bvh/layouts/encoded_child.hpp"
#include "bvh/layouts/layout.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

/// How a layout with two children per node refers to a node of a BinaryTree.
inline u32 reference_to(const Node2& node) {
  return node.is_leaf() ? leaf_reference(node.first, node.count) : node.number();
}

/// The nodes of a layout, one per inner node of the tree.
template <class Layout>
std::vector<typename Layout::Node> encoded_pairs(const BinaryTree& tree,
                                                 const typename Layout::Encoder& encoder) {
  std::vector<typename Layout::Node> nodes(tree.inner_nodes());
  const auto child = [&](u32 i) -> EncodedChild {
    const Node2& node = tree.nodes[i];
    return {node.box.low, node.box.high, reference_to(node)};
  };
  for_each_range<u32>(tree.inner_nodes(), 1024, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      const EncodedChild a = child(2 * i + 1), b = child(2 * i + 2);
      encoder.store(nodes.data(), i, a, b);
      for (const u32 reference : {a.reference, b.reference})
        if (is_node(reference)) encoder.link(nodes.data(), reference, i);
    }
  });
  return nodes;
}

}  // namespace ballotcast::detail
