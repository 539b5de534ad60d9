// Statistics of a tree.
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

struct TreeStatistics {
  u64 nodes = 0;
  u64 leaves = 0;
  u32 depth = 0;                  // number of levels below the root
  double triangles_per_leaf = 0;  // mean
  u32 largest_leaf = 0;
  // Expected number of node and triangle tests (each costs 1) of a random line that meets the
  // root's box.
  double sah_cost = 0;
};

TreeStatistics statistics_of(const BinaryTree& tree);

}  // namespace ballotcast::detail
