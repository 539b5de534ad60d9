// Layout bvh2 as a type that is a template argument of kernels.
#pragma once

#include "bvh/layouts/bvh2/node.hpp"
#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail::bvh2 {

struct Layout {
  static constexpr LayoutInfo info{"bvh2", "64-byte nodes with two float boxes; the reference"};
  using Node = bvh2::Node;
  using Slabs = bvh2::Slabs;
  using Walk = bvh2::Walk;
  using Encoder = bvh2::Encoder;
  static constexpr bool kRootIsNode = true;  // true even if the tree is a single leaf

  static EncodedNodes encode(const BinaryTree& tree, float magnitude);

  BC_HD static Slabs slabs_of(const RaySetup& setup, const Ray& ray, const TreeShape&) {
    return bvh2::slabs_of(setup, ray);
  }
  BC_HD static float limit_of(const Slabs&, float t) { return t; }
  BC_HD static ChildOrder cross(const Node* nodes, u32 node, const Slabs& slabs, float limit) {
    return cross_node(read_whole(nodes + node), slabs, limit);
  }
  BC_HD static ChildBoxes boxes(const Node* nodes, u32 node, const TreeShape&) {
    return boxes_of(read_whole(nodes + node));
  }

  static constexpr bool kForGroups = false;

  BC_HD static Walk start() { return walk_from_top(); }
  BC_HD static Walk stop() { return walk_finished(); }
  BC_HD static bool finished(const Walk& walk) { return bvh2::finished(walk); }
  BC_HD static u32 leaf(const Node*, const TreeShape&, const Walk& walk) { return walk.child; }
  BC_HD static bool advance(const Node* nodes, const TreeShape& shape, const Slabs& slabs,
                            float limit, Walk& walk) {
    return bvh2::advance(nodes, shape.root, slabs, limit, walk);
  }
};

}  // namespace ballotcast::detail::bvh2
