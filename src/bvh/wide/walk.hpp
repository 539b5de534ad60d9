// How a ray walks through a wide tree.
//
// Most nodes have one or two children that the ray enters; branches for these are faster than code
// without branches, because processors predict them well (after tinybvh and Embree).
#pragma once

#include <array>
#include <limits>

#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "geometry/far_origin.hpp"

namespace ballotcast::detail {

/// A ray, prepared for the box tests of wide trees: bvh2::Slabs in all lanes, and which rows of a
/// node the ray meets first.
class WideSlabs {
 public:
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

  /// The distances at which the ray enters the boxes of a node's children. `entered`: bit k tells
  /// whether it enters box k at a distance up to `limit`.
  Floats8 enter(const WideNode& n, float limit, u32& entered) const {
    const auto near = [&](u32 side, Floats8 inverse, Floats8 addend) {
      return fused_lanes(load_lanes(n.side[side]), inverse, addend);
    };
    const Floats8 entry = max_lanes(
        max_lanes(near(first_x_, inverse_x_, near_x_), near(first_y_, inverse_y_, near_y_)),
        max_lanes(near(first_z_, inverse_z_, near_z_), t_min_));
    // The sides of an axis differ in the lowest bit.
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

  WideRay(const WideSlabs& for_boxes, const RayLanes& for_triangles)
      : slabs(for_boxes), lanes(for_triangles) {}
  WideRay(const RaySetup& setup, const Ray& ray)
      : slabs(bvh2::slabs_of(setup, ray)), lanes(setup, ray.t_min) {}
};

/// Child k of a node. By a jump instead of an address: so the processor, which predicts jumps, can
/// go on to the child before it knows k.
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

/// The most subtrees that wait while a walk goes through one: at each level, all children but one.
inline constexpr u32 kMostOpen = kDeepestLevel * (kWidth - 1u) + 1u;

/// Inserts `one` into the open subtrees of a node, which begin at `bottom`, the nearest on top.
template <class Open>
inline void insert_open(Open* bottom, Open*& top, const Open& one) {
  Open* at = top++;
  for (; at > bottom && at[-1].entry < one.entry; --at) *at = at[-1];
  *at = one;
}

/// Walks the whole tree, nearer children first, and calls on_leaf(reference) at each leaf. on_leaf
/// may lower `t`, the distance of the best hit so far.
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
        // Three or more: inserts each into the open ones of this node, the nearest on top.
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

/// Walks the tree in the order of the children in the nodes, and calls on_leaf(reference) at each
/// leaf, until one call returns true.
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
        // The last of the others goes to the bottom.
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

/// Calls on_hit(lanes, lane, block) for each triangle of a leaf that the ray meets at a t in
/// (t_min, limit].
template <class OnHit>
inline void for_each_hit(const WideTree& tree, u32 leaf, const RayLanes& ray, float limit,
                         OnHit on_hit) {
  const TriangleBlock& block = tree.blocks[leaf_first(leaf)];
  const LaneHits lanes = intersect_block(ray, block, limit);
  for (u32 hits = lanes.hit; hits != 0u; hits &= hits - 1u) on_hit(lanes, lowest_bit(hits), block);
}

/// Tests a ray against the triangles of a leaf, as intersect_rows does.
template <class Counts>
inline void intersect_block_of(const WideTree& tree, u32 leaf, const RayLanes& ray, u32 first_id,
                               Hit& best, Counts counts) {
  const auto take = [&](const LaneHits& lanes, u32 lane, const TriangleBlock& block) {
    Hit hit = lanes.at(lane, block.id[lane] + first_id);
    if (precedes(hit.t, hit.triangle, best) && counts(hit, lanes.front(lane, ray))) best = hit;
  };
  for_each_hit(tree, leaf, ray, best.t, take);
}

/// Calls on_crossing(Crossing) for each triangle of a leaf that owns a crossing of the ray
/// (geometry/crossing.hpp) with t in (t_min, limit]. `setup` is that of `ray`.
template <class OnCrossing>
inline void cross_block_of(const WideTree& tree, u32 leaf, const RaySetup& setup,
                           const RayLanes& ray, float limit, u32 first_id, OnCrossing on_crossing) {
  const auto take = [&](const LaneHits& lanes, u32 lane, const TriangleBlock& block) {
    // Of a crossing on an edge, one of the triangles there is the owner; inside there is no other.
    if ((lanes.on_edge >> lane & 1u) != 0u) {
      const ShearedTriangle p =
          sheared(setup, block.row(ray.kx, lane), block.row(ray.ky, lane), block.row(ray.kz, lane));
      if (!owns(p, weights_of(p))) return;
    }
    on_crossing(Crossing{lanes.at(lane, block.id[lane] + first_id), lanes.front(lane, ray)});
  };
  for_each_hit(tree, leaf, ray, limit, take);
}

// Rays that are prepared for wide trees eight at a time. One by one, that takes a tenth of the time
// of a cast, because it has divisions that wait for each other and branches that no processor
// predicts.

/// Eight rays. Each lane takes the steps of make_setup and bvh2::slabs_of in their order, so it has
/// the same bits.
class EightRays {
 public:
  EightRays(const Ray* rays, float scene_magnitude) {
    static_assert(sizeof(Ray) == kWidth * sizeof(float));
    const std::array<Floats8, kWidth> columns = transposed(&rays[0].origin.x);
    const auto& [ox, oy, oz, t_min, dx, dy, dz, t_max] = columns;
    const Floats8 ax = magnitude_of_lanes(dx), ay = magnitude_of_lanes(dy),
                  az = magnitude_of_lanes(dz);
    // The longest axis: x, y, or z where neither is.
    const Ints8 is_x = (ax >= ay) & (ax >= az), is_y = ~(ax >= ay) & (ay >= az);
    const auto choose = [&](auto x, auto y, auto z) { return is_x ? x : is_y ? y : z; };

    const Floats8 along = choose(dx, dy, dz), longest = magnitude_of_lanes(along);
    const Floats8 farthest = max_lanes(magnitude_of_lanes(ox),
                                       max_lanes(magnitude_of_lanes(oy), magnitude_of_lanes(oz)));
    const Ints8 is_valid = (longest >= kSmallestSlope) & (longest <= kLargestSlope) &
                           (farthest <= kLargestCoordinate) & (ax <= longest) & (ay <= longest) &
                           (az <= longest) & (ox == ox) & (oy == oy) & (oz == oz) & (t_max > t_min);
    usual_ = true_lanes(is_valid & (farthest <= kFarOrigin * scene_magnitude));

    const Floats8 sz = 1.0f / along;
    store_lanes(-choose(dy, dz, dx) * sz, shear_[0]);
    store_lanes(-choose(dz, dx, dy) * sz, shear_[1]);
    store_lanes(sz, shear_[2]);
    store_lanes(choose(oy, oz, ox), origin_[0]);
    store_lanes(choose(oz, ox, oy), origin_[1]);
    store_lanes(choose(ox, oy, oz), origin_[2]);
    store_lanes(t_min, t_min_);
    const Ints8 kz = choose(Ints8{}, Ints8{} + 1, Ints8{} + 2);
    std::memcpy(kz_, &kz, sizeof kz);

    const Floats8 smallest = longest * kSmallestSlope;
    const Floats8 slack = max_lanes(in_all_lanes(scene_magnitude), farthest) * kSlack;
    const auto prepare_axis = [&](u32 axis, Floats8 origin, Floats8 slope, Floats8 magnitude) {
      const Ints8 sign = bits_of_lanes(slope) & std::numeric_limits<i32>::min();
      const Floats8 least = std::bit_cast<Floats8>(bits_of_lanes(smallest) | sign);
      const Floats8 inverse = 1.0f / (magnitude < smallest ? least : slope);
      const Floats8 from = -(origin * inverse), wider = slack * magnitude_of_lanes(inverse);
      store_lanes(inverse, inverse_[axis]);
      store_lanes(from - wider, near_addend_[axis]);
      store_lanes(from + wider, far_addend_[axis]);
    };
    prepare_axis(0, ox, dx, ax);
    prepare_axis(1, oy, dy, ay);
    prepare_axis(2, oz, dz, az);
  }

  /// False if ray `k` can hit nothing, or its origin is far. Such a ray is to be prepared alone.
  bool is_usual(u32 k) const { return (usual_ >> k & 1u) != 0u; }

  /// A usual ray.
  WideRay operator[](u32 k) const {
    const auto vector = [&](const Rows& rows) { return vec3(rows[0][k], rows[1][k], rows[2][k]); };
    return {WideSlabs({vector(inverse_), vector(near_addend_), vector(far_addend_), t_min_[k]}),
            RayLanes(kz_[k], vector(shear_), vector(origin_), t_min_[k])};
  }

 private:
  using Rows = float[3][kWidth];  // a row per axis

  alignas(32) Rows inverse_, near_addend_, far_addend_;  // those of bvh2::Slabs
  Rows shear_, origin_;                                  // those of RaySetup
  float t_min_[kWidth];
  u32 kz_[kWidth];
  u32 usual_;
};

}  // namespace ballotcast::detail
