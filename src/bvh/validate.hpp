// Is a tree what walks rely on?
#pragma once

#include <string>

#include "bvh/bvh2.hpp"

namespace ballotcast {

/// The first thing wrong with `tree` as a tree over `mesh`, or "" when it is sound: every triangle
/// is in a leaf, once; every node is reached, once; every box contains its children's boxes or its
/// triangles; leaves hold 1 to kLargestLeaf triangles; no leaf is deeper than kDeepestLevel.
std::string defect_of(const Bvh2& tree, const Mesh& mesh);

}  // namespace ballotcast
