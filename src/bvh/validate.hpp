// Checks that a tree has the properties that walks rely on.
#pragma once

#include <string>

#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"

namespace ballotcast::detail {

/// The first defect of `tree` as a tree over `mesh`, or "" if there is none. In a sound tree
/// - every node is reached exactly once, and every box contains its children's boxes;
/// - every triangle is in a leaf and in no leaf twice, but `copies` are in no leaf;
/// - a triangle lies inside its leaf's box; if it is in several leaves, each of its points lies in
///   one of their boxes (tested at a lattice of points);
/// - leaves hold 1 to kLargestLeaf triangles, and no leaf is deeper than kDeepestLevel.
std::string defect_of(const BinaryTree& tree, const Mesh& mesh, const Copies& copies = {});

}  // namespace ballotcast::detail
