#include "bvh/builders/shallow.hpp"

#include <gtest/gtest.h>

#include "bvh/validate.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace {

/// A tree of a row of triangles in which each inner node has a leaf and all the rest as children.
BinaryTree chain_of(const Mesh& mesh) {
  BinaryTree tree;
  const auto count = static_cast<u32>(mesh.triangles.size());
  tree.nodes.resize(2 * count - 1);
  for (u32 i = 0; i < count; ++i) tree.order.push_back(i);
  tree.depth = count - 1;
  Aabb box;
  for (u32 i = count; i-- > 0;) {
    // The rest, from triangle i on, is the right child of inner node i - 1.
    box.include(mesh.bounds_of(i));
    tree.nodes[2 * i] = i + 1 == count ? Node2{box, i, 1} : Node2{box, 2 * i + 1, 0};
    if (i + 1 < count) tree.nodes[2 * i + 1] = {mesh.bounds_of(i), i, 1};
  }
  return tree;
}

TEST(Shallow, rebuilds_what_is_too_deep_and_nothing_else) {
  for (const u32 count : {2u, 40u, 63u, 64u, 70u, 1000u, 30000u}) {
    const Mesh mesh = testing::soup(count, 1);
    const BinaryTree chain = chain_of(mesh);
    const BinaryTree tree = shallow(chain);
    EXPECT_EQ(defect_of(tree, mesh), "") << count << " triangles";
    EXPECT_LE(tree.depth, kDeepestLevel);
    if (count > 63) {
      EXPECT_GE(tree.depth, kDeepestLevel - 1) << "the upper part should stay";
    } else {
      EXPECT_EQ(tree.depth, chain.depth);
    }
  }
}

}  // namespace
}  // namespace ballotcast::detail
