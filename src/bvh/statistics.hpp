// What a tree looks like, in numbers.
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

struct TreeStatistics {
  u64 nodes = 0;
  u64 leaves = 0;
  u32 depth = 0;                  // levels below the root
  double triangles_per_leaf = 0;  // mean
  u32 largest_leaf = 0;
  double sah_cost = 0;  // expected node and triangle tests of a random line, equal costs
};

TreeStatistics statistics_of(const BinaryTree& tree);

}  // namespace ballotcast::detail
