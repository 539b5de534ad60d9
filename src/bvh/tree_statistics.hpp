// Statistics of trees, and the visits of sample rays in them.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/ploc/keys.hpp"

namespace ballotcast::detail {

/// The size and the expected cost of a tree.
struct TreeStatistics {
  u64 nodes = 0;
  u64 leaves = 0;
  u32 depth = 0;                  // number of levels below the root
  double triangles_per_leaf = 0;  // mean
  u32 largest_leaf = 0;
  // The expected number of tests of nodes and triangles (each costs 1) for a random line that meets
  // the root's box.
  double sah_cost = 0;
};

TreeStatistics statistics_of(const BinaryTree& tree);

/// The number of tests of all sample rays in a tree, counted on the host. 0 if the tree has no
/// nodes.
u64 visits_in(const BinaryTree& tree, const ploc::TriangleView& triangles);

}  // namespace ballotcast::detail
