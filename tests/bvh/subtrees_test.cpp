#include "bvh/builders/subtrees.hpp"

#include <gtest/gtest.h>

namespace ballotcast::detail {
namespace subtrees_test {

Aabb box(float low, float high) { return {vec3(low), vec3(high)}; }

std::unique_ptr<BuiltSubtree> whole_tree(const StoredTree& whole) {
  auto subtree = std::make_unique<BuiltSubtree>();
  subtree->whole = whole;
  return subtree;
}

TEST(Subtrees, become_one_tree_with_its_nodes_depth_first) {
  SubtreeStore store;
  const BinaryTree leaf{{{box(0, 1), 0, 2}}, {7, 8}, 0, {}};
  const BinaryTree pair{
      {{box(2, 5), 1, 0}, {box(2, 3), 0, 1}, {box(4, 5), 1, 3}}, {1, 2, 3, 4}, 1, {}};
  BuiltSubtree top;
  top.box = box(0, 9);
  top.left = std::make_unique<BuiltSubtree>();
  top.left->box = box(0, 5);
  top.left->left = whole_tree(store.keep(leaf));
  top.left->right = whole_tree(store.keep(pair));
  top.right = whole_tree(store.keep(pair));
  const BinaryTree tree = joined(top);
  const std::vector<Node2> expected = {{box(0, 9), 1, 0}, {box(0, 5), 3, 0}, {box(2, 5), 7, 0},
                                       {box(0, 1), 0, 2}, {box(2, 5), 5, 0}, {box(2, 3), 2, 1},
                                       {box(4, 5), 3, 3}, {box(2, 3), 6, 1}, {box(4, 5), 7, 3}};
  ASSERT_EQ(tree.nodes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(tree.nodes[i].box.low.x, expected[i].box.low.x) << i;
    EXPECT_EQ(tree.nodes[i].box.high.x, expected[i].box.high.x) << i;
    EXPECT_EQ(tree.nodes[i].first, expected[i].first) << i;
    EXPECT_EQ(tree.nodes[i].count, expected[i].count) << i;
  }
  EXPECT_EQ(tree.order, (std::vector<u32>{7, 8, 1, 2, 3, 4, 1, 2, 3, 4}));
  EXPECT_EQ(tree.depth, 3u);
}

TEST(Subtrees, may_be_larger_than_a_block_of_their_store) {
  SubtreeStore store;
  BinaryTree large;
  large.nodes.resize(3u << 20, {box(0, 1), 0, 1});
  large.order.assign(5, 6);
  const StoredTree first = store.keep(large), second = store.keep(large);
  for (const StoredTree& kept : {first, second}) {
    EXPECT_EQ(kept.node_count, large.nodes.size());
    EXPECT_EQ(kept.nodes[kept.node_count - 1].count, 1u);
    EXPECT_EQ(kept.order[4], 6u);
  }
}

}  // namespace subtrees_test
}  // namespace ballotcast::detail
