// Encodes trees on the host.
#pragma once

#include "bvh/layouts/children.hpp"
#include "bvh/layouts/layout.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// Memory for `count` nodes of a layout. The caller fills it through `nodes_in`.
template <class Node>
EncodedNodes room_for(std::size_t count, const TreeShape& shape) {
  EncodedNodes encoded;
  encoded.bytes = count * sizeof(Node);
  encoded.nodes =
      Array<NodeBytes>::unset((encoded.bytes + sizeof(NodeBytes) - 1) / sizeof(NodeBytes));
  // The nodes may fill the last element only in part, so it is cleared.
  if (count > 0) encoded.nodes.back() = {};
  encoded.shape = shape;
  return encoded;
}

template <class Node>
Node* nodes_in(EncodedNodes& encoded) {
  return reinterpret_cast<Node*>(encoded.nodes.data());
}

/// Encodes the nodes of a layout, one per inner node of the tree.
template <class Layout>
EncodedNodes encoded_pairs(const BinaryTree& tree, const TreeShape& shape,
                           const typename Layout::Encoder& encoder) {
  using Node = typename Layout::Node;
  EncodedNodes encoded = room_for<Node>(tree.inner_nodes(), shape);
  Node* const nodes = nodes_in<Node>(encoded);
  const auto child = [&](u32 i) -> EncodedChild {
    const Node2& node = tree.nodes[i];
    return {node.box.low, node.box.high, reference_to(node, tree.leaves)};
  };
  for_each_range<u32>(tree.inner_nodes(), 1024, [&](u32 begin, u32 end) {
    for (u32 i = begin; i < end; ++i) {
      const EncodedChild a = child(2 * i + 1), b = child(2 * i + 2);
      encoder.store(nodes, i, a, b);
      for (const u32 reference : {a.reference, b.reference})
        if (is_node(reference)) encoder.link(nodes, reference, i);
    }
  });
  return encoded;
}

}  // namespace ballotcast::detail
