// Layout bvh2 as one type, which is what kernels are compiled for.
#pragma once

#include "bvh/layouts/bvh2/node.hpp"
#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::bvh2 {

struct Layout {
  static constexpr LayoutInfo info{"bvh2", "64-byte nodes with two float boxes; the reference"};
  using Node = bvh2::Node;
  using Walk = bvh2::Walk;

  static std::vector<NodeBytes> encode_nodes(const Bvh2& tree);

  BC_HD static Walk start() { return walk_from_top(); }
  BC_HD static Walk stop() { return walk_finished(); }
  BC_HD static bool finished(const Walk& walk) { return bvh2::finished(walk); }
  /// The leaf a walk that isn't finished stands at.
  BC_HD static u32 leaf(const Walk& walk) { return walk.child; }
  BC_HD static u32 leaf_first(u32 leaf) { return bvh2::leaf_first(leaf); }
  BC_HD static u32 leaf_count(u32 leaf) { return bvh2::leaf_count(leaf); }
  /// Walks on to the next leaf; false when there is none.
  BC_HD static bool advance(const Node* nodes, const RaySetup& setup, float t_min, float limit,
                            Walk& walk) {
    return next_leaf(nodes, setup, t_min, limit, walk) != kFinished;
  }
  /// The same walk in one go: on_leaf(leaf) returns true to end it, and may lower `limit`.
  template <class OnLeaf>
  BC_HD static void visit_leaves(const Node* nodes, const RaySetup& setup, float t_min,
                                 const float& limit, OnLeaf on_leaf) {
    for_each_leaf(nodes, setup, t_min, limit, on_leaf);
  }
};

}  // namespace ballotcast::bvh2
