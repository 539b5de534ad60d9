// Improves a finished tree: takes subtrees out and inserts them where the boxes become smaller.
#pragma once

#include "bvh/builders/builder.hpp"

namespace ballotcast::detail {

/// How hard `reinserted` tries.
struct ReinsertionSettings {
  u32 rounds = 6;
  double share = 0.1;  // each round tries to move the largest nodes: this fraction of all nodes
};

/// Improves `tree`. Each round finds, for many nodes in parallel, the place where inserting the
/// node would lower the sum of all box areas most; then it carries out the moves that do not affect
/// each other (D. Meister, J. Bittner, Parallel Reinsertion for Bounding Volume Hierarchy
/// Optimization, 2018). Leaves keep their triangles. Returns `tree` unchanged if no move helps or
/// the result would be too deep. The result is the same for every number of threads.
BinaryTree reinserted(BinaryTree tree, const ReinsertionSettings& settings = {},
                      const Progress& report = {});

}  // namespace ballotcast::detail
