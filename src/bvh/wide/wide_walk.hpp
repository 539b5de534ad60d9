// Traverses a wide tree with one ray.
//
// At most nodes the ray enters one or two children. Code with branches for these cases is faster
// than code without branches, because processors predict them well (after tinybvh and Embree).
#pragma once

#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "geometry/triangle_lanes.hpp"

namespace ballotcast::detail {

/// A ray, prepared for the box tests of wide trees: bvh2::Slabs, copied to all lanes, and the sides
/// of boxes through which the ray enters.
class WideSlabs {
 public:
  WideSlabs() = default;
  explicit WideSlabs(const bvh2::Slabs& s)
      : inverse_x_(in_all_lanes(s.inverse.x)),
        inverse_y_(in_all_lanes(s.inverse.y)),
        inverse_z_(in_all_lanes(s.inverse.z)),
        near_x_(in_all_lanes(s.near_addend.x)),
        near_y_(in_all_lanes(s.near_addend.y)),
        near_z_(in_all_lanes(s.near_addend.z)),
        far_x_(in_all_lanes(s.far_addend.x)),
        far_y_(in_all_lanes(s.far_addend.y)),
        far_z_(in_all_lanes(s.far_addend.z)),
        t_min_(in_all_lanes(s.t_min)),
        first_x_(s.inverse.x >= 0.0f ? kLowX : kHighX),
        first_y_(s.inverse.y >= 0.0f ? kLowY : kHighY),
        first_z_(s.inverse.z >= 0.0f ? kLowZ : kHighZ) {}

  /// The distances at which the ray enters the boxes of a node's children. Sets bit k of `entered`
  /// if the ray enters box k at a distance up to `limit`.
  Floats8 enter(const WideNode& n, float limit, u32& entered) const {
    const auto near = [&](u32 side, Floats8 inverse, Floats8 addend) {
      return fused_lanes(load_lanes(n.side[side]), inverse, addend);
    };
    const Floats8 entry = max_lanes(
        max_lanes(near(first_x_, inverse_x_, near_x_), near(first_y_, inverse_y_, near_y_)),
        max_lanes(near(first_z_, inverse_z_, near_z_), t_min_));
    // The indices of the two sides of an axis differ only in the lowest bit.
    const Floats8 exit = min_lanes(
        min_lanes(near(first_x_ ^ 1u, inverse_x_, far_x_), near(first_y_ ^ 1u, inverse_y_, far_y_)),
        min_lanes(near(first_z_ ^ 1u, inverse_z_, far_z_), in_all_lanes(limit)));
    entered = true_lanes(entry <= exit);
    return entry;
  }

 private:
  Floats8 inverse_x_, inverse_y_, inverse_z_, near_x_, near_y_, near_z_, far_x_, far_y_, far_z_;
  Floats8 t_min_;
  u32 first_x_, first_y_, first_z_;
};

/// A ray, prepared for the tests of wide trees.
struct WideRay {
  WideSlabs slabs;
  RayLanes lanes;

  WideRay() = default;
  WideRay(const WideSlabs& for_boxes, const RayLanes& for_triangles)
      : slabs(for_boxes), lanes(for_triangles) {}
  WideRay(const RaySetup& setup, const Ray& ray)
      : slabs(bvh2::slabs_of(setup, ray)), lanes(setup, ray.t_min) {}
};

/// Child k of a node, selected by a jump instead of an address computation. The processor predicts
/// the jump, so it can continue with the child before k is known.
inline u32 child_by_jump(const WideNode& node, u32 k) {
#define BC_CHILD(i)              \
  case i: {                      \
    const u32 c = node.child[i]; \
    asm volatile("");            \
    return c;                    \
  }
  switch (k) {
    BC_CHILD(0)
    BC_CHILD(1)
    BC_CHILD(2)
    BC_CHILD(3)
    BC_CHILD(4)
    BC_CHILD(5)
    BC_CHILD(6)
    default:
      BC_CHILD(7)
  }
#undef BC_CHILD
}

/// Prefetches a node or block that will be needed soon.
inline void fetch(const WideTree& tree, u32 reference) {
  const auto lines_of = [](const auto& item) {
    for (std::size_t at = 0; at < sizeof item; at += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(&item) + at);
  };
  if (is_node(reference))
    lines_of(tree.nodes.data()[reference]);
  else
    lines_of(tree.blocks.data()[block_of(reference)]);
}

/// The largest number of open subtrees during a traversal: at each level, all children but one.
inline constexpr u32 kMostOpen = kDeepestLevel * (kWidth - 1u) + 1u;

/// Inserts `one` into the open subtrees of a node. They are stored from `bottom` on, with the
/// nearest on top.
template <class Open>
inline void insert_open(Open* bottom, Open*& top, const Open& one) {
  Open* at = top++;
  for (; at > bottom && at[-1].entry < one.entry; --at) *at = at[-1];
  *at = one;
}

/// Traverses the whole tree, nearer children first, and calls on_leaf(reference) at each leaf.
/// on_leaf may lower `t`, the distance of the best hit so far.
template <class OnLeaf>
inline void walk_nearer_first(const WideTree& tree, const WideSlabs& slabs, const float& t,
                              OnLeaf on_leaf) {
  struct Open {
    float entry;
    u32 reference;
  };
  Open open[kMostOpen];
  Open* top = open;
  u32 next = tree.root;
  if (!is_somewhere(next)) return;
  const WideNode* const nodes = tree.nodes.data();
  for (;;) {
    if (is_node(next)) {
      const WideNode& node = nodes[next];
      u32 entered;
      const Floats8 entries = slabs.enter(node, t, entered);
      const auto push = [&](u32 k) { *top++ = {entries[k], node.child[k]}; };
      if (entered != 0u) {
        const u32 a = lowest_bit(entered);
        entered &= entered - 1u;
        if (entered == 0u) {
          next = child_by_jump(node, a);
          continue;
        }
        const u32 b = lowest_bit(entered);
        entered &= entered - 1u;
        if (entered == 0u) {
          if (entries[b] < entries[a]) {
            push(a);
            next = child_by_jump(node, b);
          } else {
            push(b);
            next = child_by_jump(node, a);
          }
          continue;
        }
        // The ray enters three or more children: each is inserted into the open subtrees of this
        // node, with the nearest on top.
        Open* const bottom = top;
        const bool swapped = entries[b] < entries[a];
        push(swapped ? a : b);
        push(swapped ? b : a);
        for (; entered != 0u; entered &= entered - 1u) {
          const u32 k = lowest_bit(entered);
          insert_open(bottom, top, {entries[k], node.child[k]});
        }
        next = (--top)->reference;
        continue;
      }
    } else {
      on_leaf(next);
    }
    do {
      if (top == open) return;
      --top;
    } while (top->entry > t);
    next = top->reference;
  }
}

/// Traverses the tree in the stored order of the children, and calls on_leaf(reference) at each
/// leaf, until a call returns true.
template <class OnLeaf>
inline void walk_in_order(const WideTree& tree, const WideSlabs& slabs, float t, OnLeaf on_leaf) {
  u32 open[kMostOpen];
  u32* top = open;
  u32 next = tree.root;
  if (!is_somewhere(next)) return;
  const WideNode* const nodes = tree.nodes.data();
  for (;;) {
    if (is_node(next)) {
      const WideNode& node = nodes[next];
      u32 entered;
      slabs.enter(node, t, entered);
      if (entered != 0u) {
        const u32 first = lowest_bit(entered);
        // Pushes the other children, the last one first.
        for (u32 rest = entered & (entered - 1u); rest != 0u;) {
          const u32 k = highest_bit(rest);
          rest ^= 1u << k;
          *top++ = node.child[k];
        }
        next = child_by_jump(node, first);
        continue;
      }
    } else if (on_leaf(next)) {
      return;
    }
    if (top == open) return;
    next = *--top;
  }
}

/// Calls on_hit(lanes, lane, block) for each triangle of a leaf that the ray hits at a t in (t_min,
/// limit].
template <class OnHit>
inline void for_each_hit(const WideTree& tree, u32 leaf, const RayLanes& ray, float limit,
                         OnHit on_hit) {
  const TriangleBlock& block = tree.blocks[block_of(leaf)];
  const LaneHits lanes = intersect_block(ray, block, limit);
  for (u32 hits = lanes.hit; hits != 0u; hits &= hits - 1u) on_hit(lanes, lowest_bit(hits), block);
}

/// Tests a ray against the triangles of a leaf, as intersect_rows does.
template <class Accepts>
inline void intersect_block_of(const WideTree& tree, u32 leaf, const RayLanes& ray, u32 first_id,
                               Hit& best, Accepts accepts) {
  const auto take = [&](const LaneHits& lanes, u32 lane, const TriangleBlock& block) {
    Hit hit = lanes.at(lane, block.id[lane] + first_id);
    if (precedes(hit.t, hit.triangle, best) && accepts(hit, lanes.front(lane, ray))) best = hit;
  };
  for_each_hit(tree, leaf, ray, best.t, take);
}

/// Calls on_crossing(Crossing) for each crossing of the ray with t in (t_min, limit] that belongs
/// to a triangle of a leaf (geometry/crossing.hpp). `setup` is that of `ray`.
template <class OnCrossing>
inline void cross_block_of(const WideTree& tree, u32 leaf, const RaySetup& setup,
                           const RayLanes& ray, float limit, u32 first_id, OnCrossing on_crossing) {
  const auto take = [&](const LaneHits& lanes, u32 lane, const TriangleBlock& block) {
    // A crossing on an edge belongs to only one of the triangles that share the edge. A crossing
    // inside a triangle belongs to this triangle.
    if ((lanes.on_edge >> lane & 1u) != 0u) {
      const ShearedTriangle p =
          sheared(setup, block.row(ray.kx, lane), block.row(ray.ky, lane), block.row(ray.kz, lane));
      if (!owns(p, weights_of(p))) return;
    }
    on_crossing(Crossing{lanes.at(lane, block.id[lane] + first_id), lanes.front(lane, ray)});
  };
  for_each_hit(tree, leaf, ray, limit, take);
}

}  // namespace ballotcast::detail
