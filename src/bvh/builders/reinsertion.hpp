// Improves a finished tree: takes subtrees out and inserts them where the boxes become smaller.
#pragma once

#include "bvh/builders/builder.hpp"

namespace ballotcast::detail {

/// Improves `tree` by rounds of moves; see bvh/reinsertion. Leaves keep their triangles. The result
/// is the same for every number of threads.
BinaryTree reinserted(BinaryTree tree, u32 rounds, const Progress& report = {});

}  // namespace ballotcast::detail
