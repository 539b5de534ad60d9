// Traversal of layout bvh2, one leaf at a time, without a stack.
//
// The state of a traversal has a trail with one bit per level. A 1 means that one child was visited
// and the other child must still be visited. To go back, the traversal follows parent links until
// it finds a 1 (S. Laine, Restart Trail for Stackless BVH Traversal, 2010; the parent links after
// A. Afra, L. Szirmay-Kalos, Stackless Multi-BVH Traversal, 2014). The whole state is 16 bytes, so
// it can be stored in memory between two kernels.
//
//   level 0        root             the state at leaf L:
//                 /    \              node  = A, child = L
//   level 1      A      B             trail = 0b10: bit 0: at A no child must still be visited;
//               / \                                 bit 1: at the root B must still be visited
//   level 2    C   L
#pragma once

#include "bvh/layouts/bvh2/node.hpp"
#include "bvh/layouts/children.hpp"
#include "geometry/triangle.hpp"

namespace ballotcast::detail::bvh2 {

/// A ray, prepared for box tests: fused(side, inverse, addend) is the distance to a side (low or
/// high) of a box. The addends include the slack that makes the test conservative.
struct Slabs {
  vec3 inverse, near_addend, far_addend;
  float t_min;
};

BC_HD inline Slabs slabs_of(const RaySetup& s, const Ray& ray) {
  const auto widen = [&](float origin, float inverse, float sign) {
    return -(origin * inverse) + sign * (s.slack * magnitude_of(inverse));
  };
  const vec3 o = ray.origin, i = s.inverse;
  return {i,
          {widen(o.x, i.x, -1.0f), widen(o.y, i.y, -1.0f), widen(o.z, i.z, -1.0f)},
          {widen(o.x, i.x, 1.0f), widen(o.y, i.y, 1.0f), widen(o.z, i.z, 1.0f)},
          ray.t_min};
}

/// The state of a traversal that has reached a leaf.
struct alignas(16) Walk {
  u64 trail;  // bit 0 is the level of `node`, bit 1 the level above it, and so on
  u32 node;   // the node whose child was visited last, or kFinished
  u32 child;  // reference of this child, or kFromTop if nothing was visited yet
};
static_assert(sizeof(Walk) == 16);

inline constexpr u32 kFinished = 0xffffffffu;
inline constexpr u32 kFromTop = 0xfffffffeu;

BC_HD inline Walk walk_from_top() { return {0, 0, kFromTop}; }
BC_HD inline Walk walk_finished() { return {0, kFinished, 0}; }
BC_HD inline bool finished(const Walk& walk) { return walk.node == kFinished; }

/// The result of enter_box: the distance at which a ray enters a box, and whether the ray enters
/// the box at a distance up to `limit`. The test is conservative: no hit that `intersect_triangle`
/// accepts is missed; see `box_slack`.
struct Entry {
  float distance;
  bool hit;
};

BC_HD inline Entry enter_box(const Slabs& s, float limit, float low_x, float high_x, float low_y,
                             float high_y, float low_z, float high_z) {
  const bool px = s.inverse.x >= 0.0f, py = s.inverse.y >= 0.0f, pz = s.inverse.z >= 0.0f;
  const float near_x = fused(px ? low_x : high_x, s.inverse.x, s.near_addend.x);
  const float near_y = fused(py ? low_y : high_y, s.inverse.y, s.near_addend.y);
  const float near_z = fused(pz ? low_z : high_z, s.inverse.z, s.near_addend.z);
  const float far_x = fused(px ? high_x : low_x, s.inverse.x, s.far_addend.x);
  const float far_y = fused(py ? high_y : low_y, s.inverse.y, s.far_addend.y);
  const float far_z = fused(pz ? high_z : low_z, s.inverse.z, s.far_addend.z);
  const float near = either_max(either_max(near_x, near_y), either_max(near_z, s.t_min));
  const float far = either_min(either_min(far_x, far_y), either_min(far_z, limit));
  return {near, near <= far};
}

BC_HD inline ChildOrder cross_node(const Node& n, const Slabs& slabs, float limit) {
  const Entry e0 = enter_box(slabs, limit, n.box0_xy.x, n.box0_xy.y, n.box0_xy.z, n.box0_xy.w,
                             n.box_z.x, n.box_z.y);
  const Entry e1 = enter_box(slabs, limit, n.box1_xy.x, n.box1_xy.y, n.box1_xy.z, n.box1_xy.w,
                             n.box_z.z, n.box_z.w);
  const bool swapped = e1.hit && (!e0.hit || e1.distance < e0.distance);
  return {e0.hit || e1.hit, e0.hit && e1.hit, swapped ? n.to.child1 : n.to.child0,
          swapped ? n.to.child0 : n.to.child1};
}

/// Continues to the next leaf whose box the ray enters at a distance up to `limit` (the best hit so
/// far). Visits the same leaves as `for_each_leaf`, in the same order. Returns false if there is no
/// further leaf. `root` must be a node.
BC_HD inline bool advance(const Node* nodes, u32 root, const Slabs& slabs, float limit,
                          Walk& walk) {
  u64 trail = walk.trail;
  u32 child = walk.child;
  bool descend = child == kFromTop;
  u32 node = descend ? root : walk.node;
  for (;;) {
    if (descend) {
      const Node n = read_whole(nodes + node);
      const ChildOrder order = cross_node(n, slabs, limit);
      if (order.any) {
        trail = (trail << 1) | (order.both ? 1u : 0u);
        child = order.nearer;
      } else {
        if (node == root) break;
        child = node;
        node = n.to.parent;
        descend = false;
        continue;
      }
    } else {
      const References to = read_whole(&nodes[node].to);
      if ((trail & 1u) == 0u) {
        if (node == root) break;
        child = node;
        node = to.parent;
        trail >>= 1;
        continue;
      }
      trail ^= 1u;
      child = to.child0 == child ? to.child1 : to.child0;
    }
    if (!is_node(child)) {
      walk = {trail, node, child};
      return true;
    }
    node = child;
    descend = true;
  }
  walk = walk_finished();
  return false;
}

/// The data of a child for `ballotcast explain`.
inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs, const TreeShape&) {
  const ChildBoxes children = boxes_of(n);
  const Aabb& box = children.box[side];
  const Entry entry = enter_box(slabs, unbounded(), box.low.x, box.high.x, box.low.y, box.high.y,
                                box.low.z, box.high.z);
  return {children.reference[side], box, entry.distance};
}

}  // namespace ballotcast::detail::bvh2
