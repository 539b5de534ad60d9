#include "bvh/layouts/encode.hpp"

#include "bvh/layouts/bvh2/layout.hpp"

namespace ballotcast::detail::bvh2 {

EncodedNodes Layout::encode(const BinaryTree& tree, float) {
  const TreeShape shape = Encoder::shape(0, tree.depth);
  if (tree.inner_nodes() > 0) return encoded_pairs<Layout>(tree, shape, {});
  // No inner node: a node with the root as its child, or without any.
  EncodedChild only = no_child();
  if (!tree.nodes.empty())
    only = {tree.nodes[0].box.low, tree.nodes[0].box.high, reference_to(tree.nodes[0])};
  EncodedNodes encoded = room_for<Node>(1, shape);
  Encoder::store(nodes_in<Node>(encoded), 0, only, no_child());
  return encoded;
}

}  // namespace ballotcast::detail::bvh2
