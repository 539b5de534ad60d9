// Refitting: a tree follows vertices that move. Its leaves keep their triangles; all boxes are new.
//
//   moved vertices --> boxes of leaves --> boxes above, from the leaves up --> nodes of the layout
//                      FitLeaf             reinsertion/refit.hpp               layouts/
//
// The boxes are the smallest ones, as those that builders make which do not cut triangles. So
// refitting to vertices that did not move gives the same bytes.
#pragma once

#include <vector>

#include "bvh/reinsertion/refit.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Computes the box of a leaf. Once per node; host and device share this code.
struct FitLeaf {
  BC_HD static void item(u32 place, Node2* nodes, const u32* order, const vec3* positions,
                         const uvec3* triangles) {
    Node2& node = nodes[place];
    if (node.count == 0) return;
    vec3 low = positions[triangles[order[node.first]].x], high = low;
    for (u32 i = node.first; i < node.first + node.count; ++i) {
      const uvec3 corners = triangles[order[i]];
      for (const u32 corner : {corners.x, corners.y, corners.z}) {
        low = min_of(low, positions[corner]);
        high = max_of(high, positions[corner]);
      }
    }
    node.box.low = low;
    node.box.high = high;
  }
};

/// A tree in host memory that follows its mesh.
class FollowingTree {
 public:
  FollowingTree() = default;
  /// Takes a tree of a builder that does not cut triangles, and the mesh for which it was built.
  FollowingTree(BinaryTree tree, const Mesh& mesh);

  /// Computes all boxes anew.
  void refit(const Mesh& mesh);

  const BinaryTree& tree() const { return tree_; }

  /// How many times as many nodes and triangles as in the tree as it was built sample rays test
  /// now. 1: nothing has worn out.
  double wear(const Mesh& mesh) const;

 private:
  BinaryTree tree_;
  std::vector<u32> above_;     // see LooseTree
  std::vector<u32> arrivals_;  // see reinsertion::Refit
  u64 visits_as_built_ = 0;
};

}  // namespace ballotcast::detail
