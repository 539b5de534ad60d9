// Making a built tree better: subtrees are taken out and put in where they make boxes smaller.
#pragma once

#include "bvh/builders/builder.hpp"

namespace ballotcast::detail {

struct ReinsertionSettings {
  u32 rounds = 6;
  double share = 0.1;  // of the nodes, the largest, that are tried in a round
};

/// Finds for many nodes at once the place where each would lower the sum of all boxes' areas most,
/// and moves those that don't stand in each other's way (D. Meister, J. Bittner, Parallel
/// Reinsertion for Bounding Volume Hierarchy Optimization, 2018). Leaves stay as they are. Returns
/// `tree` itself where nothing helps, or where it would get too deep. The result is the same for
/// every number of threads.
BinaryTree reinserted(BinaryTree tree, const ReinsertionSettings& settings = {},
                      const Progress& report = {});

}  // namespace ballotcast::detail
