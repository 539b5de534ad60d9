// Makes trees shallow enough for walks.
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

/// Returns `tree` unchanged if no leaf is deeper than kDeepestLevel. Else the subtrees that are too
/// deep, taken as small as possible, are replaced by balanced trees of their leaves.
BinaryTree shallow(BinaryTree tree);

}  // namespace ballotcast::detail
