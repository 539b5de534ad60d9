#include "bvh/builders/subtrees.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

// The size of a block in bytes. It is larger than any block that malloc serves from its heap. So
// each block is a separate mapping, and freeing it returns its memory to the system immediately.
constexpr std::size_t kBlock = std::size_t{64} << 20;

struct Size {
  std::size_t nodes = 0;   // number of nodes without the root
  std::size_t places = 0;  // number of elements in BinaryTree::order
};

Size size_of(const BuiltSubtree& subtree) {
  if (subtree.is_whole()) return {subtree.whole.node_count - 1u, subtree.whole.places};
  const Size a = size_of(*subtree.left), b = size_of(*subtree.right);
  return {a.nodes + b.nodes + 2, a.places + b.places};
}

void add(const BuiltSubtree& subtree, u32 index, u32 depth, BinaryTree& tree) {
  if (subtree.is_whole()) return add_whole(subtree.whole, index, depth, tree);
  const auto first = static_cast<u32>(tree.nodes.size());
  tree.nodes[index] = {subtree.box, first, 0};
  tree.nodes.resize(first + 2);
  add(*subtree.left, first, depth + 1, tree);
  add(*subtree.right, first + 1, depth + 1, tree);
}

}  // namespace

void add_whole(const StoredTree& stored, u32 index, u32 depth, BinaryTree& tree) {
  tree.depth = std::max(tree.depth, depth + stored.depth);
  // Node i of the subtree gets the index before + i, except the root.
  const auto before = static_cast<u32>(tree.nodes.size() - 1);
  const auto places = static_cast<u32>(tree.order.size());
  const auto moved = [&](Node2 node) {
    node.first += node.is_leaf() ? places : before;
    return node;
  };
  constexpr u32 kGrain = 1 << 16;  // nodes per task
  tree.nodes.resize(tree.nodes.size() + stored.node_count - 1);
  tree.nodes[index] = moved(stored.nodes[0]);
  Node2* const to = tree.nodes.data() + before;
  for_each_range<u32>(stored.node_count - 1, kGrain, [&](u32 begin, u32 end) {
    for (u32 i = begin + 1; i < end + 1; ++i) to[i] = moved(stored.nodes[i]);
  });
  tree.order.insert(tree.order.end(), stored.order, stored.order + stored.places);
}

std::byte* SubtreeStore::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > free_) {
    free_ = std::max(bytes, kBlock);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(free_));
    next_ = blocks_.back().get();
  }
  free_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

StoredTree SubtreeStore::keep(const BinaryTree& tree) {
  static_assert(sizeof(Node2) % sizeof(u32) == 0 && alignof(Node2) == alignof(u32));
  const std::size_t node_bytes = tree.nodes.size() * sizeof(Node2);
  std::byte* const place = take(node_bytes + tree.order.size() * sizeof(u32));
  auto* const nodes = reinterpret_cast<Node2*>(place);
  auto* const order = reinterpret_cast<u32*>(place + node_bytes);
  std::uninitialized_copy(tree.nodes.begin(), tree.nodes.end(), nodes);
  std::uninitialized_copy(tree.order.begin(), tree.order.end(), order);
  return {nodes, order, static_cast<u32>(tree.nodes.size()), static_cast<u32>(tree.order.size()),
          tree.depth};
}

BinaryTree joined(const BuiltSubtree& subtree) {
  const Size size = size_of(subtree);
  BinaryTree tree;
  tree.nodes.reserve(size.nodes + 1);
  tree.order.reserve(size.places);
  tree.nodes.resize(1);
  add(subtree, 0, 0, tree);
  return tree;
}

}  // namespace ballotcast::detail
