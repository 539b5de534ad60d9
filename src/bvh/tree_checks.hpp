// Checks trees for defects that would break a traversal.
#pragma once

#include <string>

#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail {

/// Returns the first defect of `tree` as a tree over `mesh`, or "" if there is none. In a valid
/// tree:
/// - every node is reached exactly once, and every box contains its children's boxes;
/// - every triangle is in a leaf and in no leaf twice, but `copies` are in no leaf;
/// - a triangle lies inside its leaf's box; if it is in several leaves, each of its points lies in
///   one of their boxes (tested at a lattice of points);
/// - a leaf has at most as many triangles as its form allows, and its level is at most
///   kDeepestLevel.
std::string defect_of(const BinaryTree& tree, const Mesh& mesh, const Copies& copies = {});

/// Returns the reason why a traversal of `tree` could read outside of its arrays or never end, or
/// "". Nodes must be in the order in which `encode` stores them: children after their parent, each
/// node reached once, each leaf within the triangles, the depth as given. Boxes are not checked,
/// because wrong boxes only lose hits. One thread makes a single pass over the nodes.
std::string defect_of(const EncodedBvh& tree);

/// True if `rows` are the corners of triangles of `mesh`. Sets `bounds` to their bounding box.
bool are_rows_of(const Mesh& mesh, const Array<TriangleRows>& rows, Aabb& bounds);

}  // namespace ballotcast::detail
