#include <algorithm>

#include "bvh/builders/builder.hpp"
#include "bvh/host_build_machine.hpp"
#include "bvh/reinsertion/rounds.hpp"
#include "support/give_back.hpp"

namespace ballotcast::detail {

namespace {

/// The number of levels of a balanced tree with `count` leaves.
u32 levels_for(u32 count) { return log2_up(count); }

class Shallow {
 public:
  explicit Shallow(BinaryTree tree)
      : from_(std::move(tree)), height_(from_.nodes.size()), leaves_(from_.nodes.size()) {}

  BinaryTree run() {
    measure(0);
    to_.nodes.reserve(from_.nodes.size());
    to_.nodes.resize(1);
    copy(0, 0, 0);
    to_.order = std::move(from_.order);
    return std::move(to_);
  }

 private:
  void measure(u32 node) {
    const Node2& n = from_.nodes[node];
    leaves_[node] = n.is_leaf() ? 1 : 0;
    height_[node] = 0;
    if (n.is_leaf()) return;
    for (const u32 child : {n.first, n.first + 1}) {
      measure(child);
      leaves_[node] += leaves_[child];
      height_[node] = std::max(height_[node], height_[child] + 1);
    }
  }

  /// Copies a subtree to to_.nodes[index], which is at level `depth` below the root.
  void copy(u32 node, u32 index, u32 depth) {
    const Node2& n = from_.nodes[node];
    // If the balanced tree began one level lower, it would be too deep.
    const bool last_chance = depth + levels_for(leaves_[node]) >= kDeepestLevel;
    if (last_chance && depth + height_[node] > kDeepestLevel) {
      std::vector<u32> leaves;
      collect(node, leaves);
      balance(leaves.data(), leaves.data() + leaves.size(), index, depth);
      return;
    }
    if (n.is_leaf()) return put_leaf(node, index, depth);
    const u32 first = put_inner(n.box, index);
    copy(n.first, first, depth + 1);
    copy(n.first + 1, first + 1, depth + 1);
  }

  void collect(u32 node, std::vector<u32>& leaves) const {
    const Node2& n = from_.nodes[node];
    if (n.is_leaf()) return leaves.push_back(node);
    collect(n.first, leaves);
    collect(n.first + 1, leaves);
  }

  /// Stores a balanced tree of the given leaves at to_.nodes[index].
  void balance(const u32* begin, const u32* end, u32 index, u32 depth) {
    if (end - begin == 1) return put_leaf(*begin, index, depth);
    Aabb box;
    for (const u32* leaf = begin; leaf != end; ++leaf) box.include(from_.nodes[*leaf].box);
    const u32 first = put_inner(box, index);
    const u32* const middle = begin + (end - begin) / 2;
    balance(begin, middle, first, depth + 1);
    balance(middle, end, first + 1, depth + 1);
  }

  void put_leaf(u32 node, u32 index, u32 depth) {
    to_.nodes[index] = from_.nodes[node];
    to_.depth = std::max(to_.depth, depth);
  }

  /// Stores an inner node at `index`. Returns the index of the first of its two new children.
  u32 put_inner(const Aabb& box, u32 index) {
    const auto first = static_cast<u32>(to_.nodes.size());
    to_.nodes[index] = {box, first, 0};
    to_.nodes.resize(first + 2);
    return first;
  }

  BinaryTree from_, to_;
  std::vector<u32> height_, leaves_;  // per node of from_
};

}  // namespace

BinaryTree shallow(BinaryTree tree) {
  return tree.depth <= kDeepestLevel ? std::move(tree) : Shallow(std::move(tree)).run();
}

BinaryTree reinserted(BinaryTree tree, u32 rounds, const Progress& report) {
  // Without rounds the tree is returned unchanged, with the same node indices.
  if (rounds == 0 || tree.inner_nodes() < 2) return tree;
  HostBuildMachine machine;
  const auto count = static_cast<u32>(tree.nodes.size());
  reinsertion::Rounds moves(machine, tree.nodes.data(), count);
  for (u32 i = 0; i < rounds; ++i) {
    moves.round(i);
    if (report) report(i + 1, rounds);
  }
  const reinsertion::OrderedTree ordered = moves.ordered(tree.order.data());
  // In nodes. The freed memory of smaller trees is not worth a call to the system.
  constexpr u32 kLargeTree = 1 << 20;
  if (count >= kLargeTree) give_back_freed();
  BinaryTree out;
  out.nodes.resize(count);
  out.order.resize(tree.order.size());
  out.depth = moves.depth();
  machine.each<StoreTree>("store the tree", tree.inner_nodes(), ordered, out.nodes.data());
  machine.each<StoreOrder>("store the order", tree.inner_nodes(), ordered, out.order.data());
  return shallow(std::move(out));
}

}  // namespace ballotcast::detail
