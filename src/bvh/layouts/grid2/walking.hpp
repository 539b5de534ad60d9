// Layout grid2 as walks use it. This part of the layout needs no host.
#pragma once

#include "bvh/layouts/grid2/node.hpp"
#include "bvh/layouts/grid2/walk.hpp"

namespace ballotcast::detail::grid2 {

struct Walking {
  using Node = grid2::Node;
  using Slabs = grid2::Slabs;
  using Walk = grid2::Walk;

  BC_HD static Slabs slabs_of(const RaySetup& setup, const Ray& ray, const TreeShape& shape) {
    return grid2::slabs_of(setup, ray, shape);
  }
  BC_HD static i32 limit_of(const Slabs& slabs, float t) { return signed_bits_of(t + slabs.shift); }
  BC_HD static ChildOrder cross(const Node* nodes, u32 node, const Slabs& slabs, i32 limit) {
    return cross_node(read_whole(nodes + node), slabs, limit);
  }
  BC_HD static ChildBoxes boxes(const Node* nodes, u32 node, const TreeShape& shape) {
    return boxes_of(read_whole(nodes + node), shape);
  }

  // For warps whose lanes test different boxes. A slot is an index into the children of all nodes.
  static constexpr bool kForGroups = true;
  using Sight = grid2::Sight;
  using Child = grid2::Child;
  BC_HD static Child child(const Node* nodes, u32 slot) { return read_whole(nodes->child + slot); }
  BC_HD static BoxEntry enter(const Child& child, const Slabs& slabs, i32 limit) {
    return enter_child(child, slabs, limit);
  }
  BC_HD static Sight sight_from(vec3 origin, const GroupSigns& signs, float slack,
                                const TreeShape& shape) {
    return grid2::sight_from(origin, signs, slack, shape);
  }
  BC_HD static SeenBox seen(const Child& child, const Sight& sight, u32 kz) {
    return grid2::seen(child, sight, kz);
  }

  BC_HD static Walk start() { return walk_from_top(); }
  BC_HD static Walk stop() { return walk_finished(); }
  BC_HD static bool finished(const Walk& walk) { return grid2::finished(walk); }
  BC_HD static u32 leaf(const Node* nodes, const TreeShape& shape, const Walk& walk) {
    return leaf_of(nodes, shape.root, walk);
  }
  BC_HD static bool advance(const Node* nodes, const TreeShape& shape, const Slabs& slabs,
                            i32 limit, Walk& walk) {
    return grid2::advance(nodes, shape.root, slabs, limit, walk);
  }
};

}  // namespace ballotcast::detail::grid2
