// Turns joined clusters into a BinaryTree on the host.
#pragma once

#include "bvh/ploc/host_join.hpp"

namespace ballotcast::detail::ploc {

/// The tree of joined clusters; its nodes are numbered in the order of their slots, but the root
/// comes first. It may be deeper than kDeepestLevel.
BinaryTree tree_of(JoinedClusters joined);

}  // namespace ballotcast::detail::ploc
