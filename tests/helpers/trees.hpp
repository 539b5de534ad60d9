// Trees of special shapes, for tests.
#pragma once

#include "bvh/binary_tree.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail::testing {

/// The tree in which each inner node has a leaf with one triangle as a child, and all remaining
/// triangles below the other child.
inline BinaryTree chain_of(const Mesh& mesh) {
  BinaryTree tree;
  const auto count = static_cast<u32>(mesh.triangles.size());
  tree.nodes.resize(2 * count - 1);
  for (u32 i = 0; i < count; ++i) tree.order.push_back(i);
  tree.depth = count - 1;
  Aabb box;
  for (u32 i = count; i-- > 0;) {
    // The node of the triangles from i on is the right child of inner node i - 1.
    box.include(mesh.bounds_of(i));
    tree.nodes[2 * i] = i + 1 == count ? Node2{box, i, 1} : Node2{box, 2 * i + 1, 0};
    if (i + 1 < count) tree.nodes[2 * i + 1] = {mesh.bounds_of(i), i, 1};
  }
  return tree;
}

}  // namespace ballotcast::detail::testing
