// What could be wrong with a tree that was built.
#pragma once

#include <string>

#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail {

/// The first defect of a tree, or "". It must be a sound tree over `mesh` (see defect_of), and
/// `encoded`, the tree in a layout, must be `expected`, byte by byte: that of the host.
std::string defect_of_built(const BinaryTree& tree, const EncodedBvh& encoded,
                            const EncodedBvh& expected, const Mesh& mesh, const Copies& copies);

}  // namespace ballotcast::detail
