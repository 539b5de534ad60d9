// Improves finished trees, and makes them shallow enough for walks.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/builders/builder.hpp"

namespace ballotcast::detail {

/// Improves `tree` by rounds of moves: takes subtrees out and inserts them where the boxes become
/// smaller; see bvh/reinsertion. Leaves keep their triangles. The result
/// is the same for every number of threads.
BinaryTree reinserted(BinaryTree tree, u32 rounds, const Progress& report = {});

/// Returns `tree` unchanged if no leaf is deeper than kDeepestLevel. Else the subtrees that are too
/// deep, taken as small as possible, are replaced by balanced trees of their leaves.
BinaryTree shallow(BinaryTree tree);

}  // namespace ballotcast::detail
