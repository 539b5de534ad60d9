// Refits a tree to vertices that have moved: leaves keep their triangles, and all boxes are
// computed again.
//
//   moved     --> triangles      --> boxes, from     --> nodes of
//   vertices      in leaf order      the leaves up       the layout
//                 layouts/           FitTree             layouts/
//
// Boxes fit their triangles exactly, as in a new tree of a builder that does not cut triangles. So
// if no vertex has moved, refitting gives the same bytes as before.
#pragma once

#include <vector>

#include "bvh/reinsertion/loose_tree.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Computes the box of a leaf from the triangles in leaf order. Runs once per node. Host and device
/// share this code.
struct FitLeaf {
  BC_HD static void item(u32 place, Node2* nodes, const TriangleRows* triangles) {
    Node2& node = nodes[place];
    if (node.count == 0) return;
    const TriangleRow* row = triangles[node.first].row;
    vec3 low = {row[0].a, row[1].a, row[2].a}, high = low;
    for (u32 i = 0; i < node.count; ++i, row += 3) {
      const vec3 a = {row[0].a, row[1].a, row[2].a}, b = {row[0].b, row[1].b, row[2].b},
                 c = {row[0].c, row[1].c, row[2].c};
      low = min_of(low, min_of(a, min_of(b, c)));
      high = max_of(high, max_of(a, max_of(b, c)));
    }
    node.box.low = low;
    node.box.high = high;
  }
};

/// Computes all boxes from the triangles in leaf order. Runs once per node: a leaf computes its own
/// box, then the boxes of its ancestors, as in reinsertion::Refit. Devices do this in two steps:
/// kernels/build/refit_nodes.hpp.
struct FitTree {
  template <class Lane>
  static void item(Lane& lane, u32 place, reinsertion::LooseTree tree, u32* arrivals,
                   const TriangleRows* triangles) {
    FitLeaf::item(place, tree.nodes, triangles);
    reinsertion::Refit::item(lane, place, tree, arrivals);
  }
};

/// A tree in host memory that is refitted to its mesh.
class FollowingTree {
 public:
  FollowingTree() = default;
  /// Takes a tree from a builder that does not cut triangles, and the mesh for which it was built.
  FollowingTree(BinaryTree tree, const Mesh& mesh);

  /// Computes all boxes again. `triangles` are in leaf order.
  void refit(const TriangleRows* triangles);

  const BinaryTree& tree() const { return tree_; }

  /// How much slower the tree has become by refitting: the number of nodes and triangles that
  /// sample rays test now, divided by the number when the tree was built.
  double wear(const Mesh& mesh) const;

 private:
  BinaryTree tree_;
  std::vector<u32> above_;     // see LooseTree
  std::vector<u32> arrivals_;  // counters; see reinsertion::Refit
  u64 visits_as_built_ = 0;
};

}  // namespace ballotcast::detail
