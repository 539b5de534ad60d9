// Traversal of layout grid2, one leaf at a time, without a stack.
//
// One instruction converts a code of a box to a float q in [1, 2). The transformation from q to
// world coordinates is included in the ray: distance = q * step + addend. Distances are compared as
// integers.
//
// The state of a traversal at a leaf is two words: the path from the root to the leaf, with one bit
// per level, and the levels at which the other child must still be visited (after S. Laine, Restart
// Trail for Stackless BVH Traversal, 2010). Nodes have no parent links. To continue, the traversal
// follows the path from the root again, without box tests.
//
//   level 0        root             the state at leaf L:
//                 /    \              way     = 0b010: child 0 at the root, child 1 at A
//   level 1      A      B             pending = 0b101: bit 0: B must still be visited;
//               / \                                    highest bit: L is at level 2
//   level 2    C   L
#pragma once

#include "bvh/layouts/children.hpp"
#include "bvh/layouts/grid2/node.hpp"
#include "geometry/frustum.hpp"
#include "geometry/triangle.hpp"

namespace ballotcast::detail::grid2 {

/// A ray, prepared for box tests. `shift` is added to all distances. It is 0 unless t_min is
/// negative. Then it makes distances behind the origin positive, because negative floats have the
/// wrong order as integers.
struct Slabs {
  vec3 step, near_addend, far_addend;
  u32 order_x, order_y, order_z;  // kLowFirst or kHighFirst
  float shift;
};

BC_HD inline Slabs slabs_of(const RaySetup& s, const Ray& ray, const TreeShape& shape) {
  Slabs out;
  const vec3 i = s.inverse;
  out.shift = 0.0f;
  if (ray.t_min < 0.0f) {
    // No part of the scene lies more than `reach` behind the origin: slack is 2^-18 of the largest
    // |coordinate| of scene and origin, so slack * 2^19 is twice that coordinate, and |sz| converts
    // a distance along axis kz to one along the ray.
    const float reach = s.slack * 0x1p19f * magnitude_of(s.sz);
    out.shift = min_of(-ray.t_min, reach);
  }
  const auto middle = [&](float offset, float origin, float inverse) {
    return times(offset - origin, inverse) + out.shift;
  };
  const vec3 m = {middle(shape.code_offset.x, ray.origin.x, i.x),
                  middle(shape.code_offset.y, ray.origin.y, i.y),
                  middle(shape.code_offset.z, ray.origin.z, i.z)};
  const vec3 slack = {times(s.slack, magnitude_of(i.x)), times(s.slack, magnitude_of(i.y)),
                      times(s.slack, magnitude_of(i.z))};
  out.step = {shape.code_scale.x * i.x, shape.code_scale.y * i.y, shape.code_scale.z * i.z};
  out.near_addend = {m.x - slack.x, m.y - slack.y, m.z - slack.z};
  out.far_addend = {m.x + slack.x, m.y + slack.y, m.z + slack.z};
  out.order_x = i.x >= 0.0f ? kLowFirst : kHighFirst;
  out.order_y = i.y >= 0.0f ? kLowFirst : kHighFirst;
  out.order_z = i.z >= 0.0f ? kLowFirst : kHighFirst;
  return out;
}

/// The distances at which a ray enters and leaves a box, as the bits of floats. The ray intersects
/// the box if entry <= exit and entry <= limit.
struct Span {
  i32 entry, exit;
};

BC_HD inline Span span_of(const Child& c, const Slabs& s) {
  return {largest_not_negative(fused(first_code(c.x, s.order_x), s.step.x, s.near_addend.x),
                               fused(first_code(c.y, s.order_y), s.step.y, s.near_addend.y),
                               fused(first_code(c.z, s.order_z), s.step.z, s.near_addend.z)),
          smallest_by_bits(fused(last_code(c.x, s.order_x), s.step.x, s.far_addend.x),
                           fused(last_code(c.y, s.order_y), s.step.y, s.far_addend.y),
                           fused(last_code(c.z, s.order_z), s.step.z, s.far_addend.z))};
}

BC_HD inline BoxEntry enter_child(const Child& c, const Slabs& s, i32 limit) {
  const Span a = span_of(c, s);
  return {a.entry, a.entry <= a.exit && a.entry <= limit};
}

BC_HD inline ChildOrder cross_node(const Node& n, const Slabs& s, i32 limit) {
  const BoxEntry a = enter_child(n.child[0], s, limit), b = enter_child(n.child[1], s, limit);
  const bool swapped = b.enters && (!a.enters || b.entry < a.entry);
  const u32 to_a = n.child[0].reference, to_b = n.child[1].reference;
  return {a.enters || b.enters, a.enters && b.enters, swapped ? to_b : to_a, swapped ? to_a : to_b};
}

/// The state of a traversal that has reached a leaf. Bit k of each word belongs to level k below
/// the root.
struct alignas(16) Walk {
  u64 way;  // each bit is the child (0 or 1) that the traversal entered
  // 1: the other child must still be visited. The highest 1 has another meaning: it marks the level
  // of the leaf. If all bits are 0, nothing was visited yet. If all bits are 1, the traversal is
  // finished.
  u64 pending;
};
static_assert(sizeof(Walk) == 16);
static_assert(kDeepestLevel < 63);

BC_HD inline Walk walk_from_top() { return {0, 0}; }
BC_HD inline Walk walk_finished() { return {0, ~u64{0}}; }
BC_HD inline bool finished(const Walk& walk) { return walk.pending == ~u64{0}; }

/// Follows the first `levels` bits of `way` from the root. Returns the reference there.
BC_HD inline u32 follow(const Node* nodes, u32 root, u64 way, u32 levels) {
  u32 reference = root;
  for (u32 k = 0; k < levels; ++k) reference = nodes[reference].child[(way >> k) & 1u].reference;
  return reference;
}

/// The leaf of a traversal that is not finished.
BC_HD inline u32 leaf_of(const Node* nodes, u32 root, const Walk& walk) {
  return follow(nodes, root, walk.way, highest_bit(walk.pending));
}

/// Continues to the next leaf, as bvh2::advance does.
BC_HD inline bool advance(const Node* nodes, u32 root, const Slabs& slabs, i32 limit, Walk& walk) {
  u64 way = walk.way, pending = walk.pending;
  u32 level = 0, reference = root;
  bool descend = pending == 0;
  if (!descend) pending ^= u64{1} << highest_bit(pending);
  if (root == kNowhere) pending = 0, descend = false;
  for (;;) {
    if (!descend) {
      if (pending == 0) break;
      const u32 last = highest_bit(pending);
      const u64 bit = u64{1} << last;
      pending ^= bit;
      way = (way & (bit - 1u)) | (~way & bit);
      level = last + 1u;
      reference = follow(nodes, root, way, level);
    }
    descend = true;
    if (!is_node(reference)) {
      walk = {way, pending | u64{1} << level};
      return true;
    }
    const Node n = read_whole(nodes + reference);
    const ChildOrder order = cross_node(n, slabs, limit);
    if (!order.any) {
      descend = false;
      continue;
    }
    const u64 bit = u64{1} << level;
    way = order.nearer == n.child[1].reference ? way | bit : way & ~bit;
    if (order.both) pending |= bit;
    reference = order.nearer;
    ++level;
  }
  walk = walk_finished();
  return false;
}

/// The data of a child for `ballotcast explain`.
BC_HD inline InspectedChild inspect(const Node& n, u32 side, const Slabs& slabs,
                                    const TreeShape& shape) {
  const Child& c = n.child[side];
  const float entry = float_of(static_cast<u32>(span_of(c, slabs).entry)) - slabs.shift;
  return {c.reference, box_of(c, shape), entry};
}

// Converts boxes of nodes to the form that the traversal of a group of rays needs.

/// Converts codes to a SeenBox: coordinate = q * scale + addend, where q is the float in [1, 2) of
/// a code.
struct Sight {
  vec3 scale, first_addend, last_addend;
  u32 order_x, order_y, order_z;  // kLowFirst or kHighFirst
};

/// `origin` is in the order of the axes kx, ky, kz. `slack` is that of a RaySetup.
BC_HD inline Sight sight_from(vec3 origin, const GroupSigns& signs, float slack,
                              const TreeShape& shape) {
  Sight s;
  s.scale = in_order_of(signs.kz, shape.code_scale);
  vec3 way = in_order_of(signs.kz, shape.code_offset) - origin;
  const auto turn = [&](u32 bit, float& scale, float& addend) {
    if ((signs.down & bit) == 0u) return kLowFirst;
    scale = -scale, addend = -addend;
    return kHighFirst;
  };
  s.order_x = turn(1u, s.scale.x, way.x);
  s.order_y = turn(2u, s.scale.y, way.y);
  s.order_z = turn(4u, s.scale.z, way.z);
  const float wide = kGroupSlack * slack;
  s.first_addend = {way.x - wide, way.y - wide, way.z - wide};
  s.last_addend = {way.x + wide, way.y + wide, way.z + wide};
  return s;
}

BC_HD inline SeenBox seen(const Child& c, const Sight& s, u32 kz) {
  const u32 x = kz == 2u ? c.x : kz == 1u ? c.z : c.y;
  const u32 y = kz == 2u ? c.y : kz == 1u ? c.x : c.z;
  const u32 z = kz == 2u ? c.z : kz == 1u ? c.y : c.x;
  return {{fused(first_code(x, s.order_x), s.scale.x, s.first_addend.x),
           fused(first_code(y, s.order_y), s.scale.y, s.first_addend.y),
           fused(first_code(z, s.order_z), s.scale.z, s.first_addend.z)},
          {fused(last_code(x, s.order_x), s.scale.x, s.last_addend.x),
           fused(last_code(y, s.order_y), s.scale.y, s.last_addend.y),
           fused(last_code(z, s.order_z), s.scale.z, s.last_addend.z)}};
}

/// The part of the layout that traversal needs; it contains no host code.
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
