#include <gtest/gtest.h>

#include "bvh/builders/builder.hpp"
#include "bvh/tree_checks.hpp"
#include "helpers/meshes.hpp"
#include "helpers/trees.hpp"

namespace ballotcast::detail {
namespace improve_test {

TEST(Shallow, rebuilds_what_is_too_deep_and_nothing_else) {
  for (const u32 count : {2u, 40u, 63u, 64u, 70u, 1000u, 30000u}) {
    const Mesh mesh = testing::soup(count, 1);
    const BinaryTree chain = testing::chain_of(mesh);
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

}  // namespace improve_test
}  // namespace ballotcast::detail
