// Is a tree what walks rely on?
#pragma once

#include <string>

#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"

namespace ballotcast::detail {

/// The first thing wrong with `tree` as a tree over `mesh`, or "" when it is sound: every triangle
/// is in a leaf, and in no leaf twice, but for `copies`, which are in none; every node is reached,
/// once; every box contains its children's boxes; a triangle lies in its leaf's box or, if it is in
/// several, its points lie in theirs (of which a lattice is tried); leaves hold 1 to kLargestLeaf
/// triangles; no leaf is deeper than kDeepestLevel.
std::string defect_of(const BinaryTree& tree, const Mesh& mesh, const Copies& copies = {});

}  // namespace ballotcast::detail
