#include "bvh/builders/tree_parts.hpp"

#include <algorithm>

namespace ballotcast::detail {

namespace {

struct Size {
  std::size_t nodes = 0, places = 0;  // without the root; of the order
};

Size size_of(const TreeParts& parts) {
  if (parts.is_whole()) return {parts.whole.nodes.size() - 1, parts.whole.order.size()};
  const Size a = size_of(*parts.left), b = size_of(*parts.right);
  return {a.nodes + b.nodes + 2, a.places + b.places};
}

/// Copies a whole tree to tree.nodes[index], `depth` levels below the root, and behind the end.
void add_whole(const BinaryTree& part, u32 index, u32 depth, BinaryTree& tree) {
  tree.depth = std::max(tree.depth, depth + part.depth);
  // Node i of the part gets the index before + i, except for its root.
  const auto before = static_cast<u32>(tree.nodes.size() - 1);
  const auto places = static_cast<u32>(tree.order.size());
  const auto moved = [&](Node2 node) {
    node.first += node.is_leaf() ? places : before;
    return node;
  };
  tree.nodes[index] = moved(part.nodes[0]);
  for (std::size_t i = 1; i < part.nodes.size(); ++i) tree.nodes.push_back(moved(part.nodes[i]));
  tree.order.insert(tree.order.end(), part.order.begin(), part.order.end());
}

void add(TreeParts parts, u32 index, u32 depth, BinaryTree& tree) {
  if (parts.is_whole()) return add_whole(parts.whole, index, depth, tree);
  const auto first = static_cast<u32>(tree.nodes.size());
  tree.nodes[index] = {parts.box, first, 0};
  tree.nodes.resize(first + 2);
  add(std::move(*parts.left), first, depth + 1, tree);
  add(std::move(*parts.right), first + 1, depth + 1, tree);
}

}  // namespace

BinaryTree joined(TreeParts parts) {
  if (parts.is_whole()) return std::move(parts.whole);
  const Size size = size_of(parts);
  BinaryTree tree;
  tree.nodes.reserve(size.nodes + 1);
  tree.order.reserve(size.places);
  tree.nodes.resize(1);
  add(std::move(parts), 0, 0, tree);
  return tree;
}

}  // namespace ballotcast::detail
