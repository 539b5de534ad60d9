// How a group of rays from one point walks through a wide tree: as one, bounded by a frustum. Only
// at leaves each ray is tested.
#pragma once

#include "bvh/wide/walk.hpp"
#include "geometry/frustum.hpp"

namespace ballotcast::detail {

/// The rays of a group: packs of eight, a ray per lane.
inline constexpr u32 kPacks = 2;
inline constexpr u32 kGroup = kPacks * kLanes;

/// Eight rays of a group, and their best hits so far.
struct RayPack {
  RayLanes lanes;
  Floats8 ix, iy, iz;  // those of GroupRay; iz = |sz|
  Floats8 best_t;
  Hit best[kLanes];

  void set(u32 lane, const RaySetup& setup, const GroupRay& ray, const Hit& first) {
    lanes.sx[lane] = setup.sx, lanes.sy[lane] = setup.sy, lanes.sz[lane] = setup.sz;
    ix[lane] = ray.ix, iy[lane] = ray.iy, iz[lane] = magnitude_of(ray.sz);
    best_t[lane] = first.t;
    best[lane] = first;
  }

  /// Which rays may enter a box before their best hits: bit k for lane k. As enters_box.
  u32 entering(const SeenBox& box, const GroupSigns& signs) const {
    Floats8 ax = in_all_lanes(box.first.x), bx = in_all_lanes(box.last.x);
    Floats8 ay = in_all_lanes(box.first.y), by = in_all_lanes(box.last.y);
    if (signs.mixed != 0u) {
      const Floats8 ax0 = ax, ay0 = ay;
      ax = ix < 0.0f ? bx : ax, bx = ix < 0.0f ? ax0 : bx;
      ay = iy < 0.0f ? by : ay, by = iy < 0.0f ? ay0 : by;
    }
    const Floats8 entry =
        max_lanes(max_lanes(ax * ix, ay * iy), max_lanes(box.first.z * iz, Floats8{}));
    const Floats8 exit = min_lanes(min_lanes(bx * ix, by * iy), box.last.z * iz);
    return true_lanes((entry <= exit) & (entry <= best_t));
  }

  float farthest() const {
    float t = best_t[0];
    for (u32 k = 1; k < kLanes; ++k) t = max_of(t, best_t[k]);
    return t;
  }
};

/// A frustum, prepared for the box tests of wide trees.
class GroupSlabs {
 public:
  /// `setup`: that of any ray of the group.
  GroupSlabs(const Frustum& f, const GroupSigns& signs, const RaySetup& setup) : f_(f) {
    const u32 axes[3] = {setup.kx(), setup.ky(), setup.kz};
    const float at[3] = {setup.ox, setup.oy, setup.oz};
    for (u32 k = 0; k < 3u; ++k) {
      const bool down = (signs.down >> k & 1u) != 0u;
      first_[k] = 2u * axes[k] + (down ? 1u : 0u);
      sign_[k] = down ? -1.0f : 1.0f;
      const float way = -(at[k] * sign_[k]), wide = kGroupSlack * setup.slack;
      first_addend_[k] = way - wide;
      last_addend_[k] = way + wide;
    }
  }

  /// As WideSlabs::enter, for all rays of the group.
  Floats8 enter(const WideNode& n, float limit, u32& entered) const {
    const auto side = [&](u32 row, u32 k, float addend) {
      return fused_lanes(load_lanes(n.side[row]), in_all_lanes(sign_[k]), in_all_lanes(addend));
    };
    const Floats8 ax = side(first_[0], 0, first_addend_[0]),
                  bx = side(first_[0] ^ 1u, 0, last_addend_[0]);
    const Floats8 ay = side(first_[1], 1, first_addend_[1]),
                  by = side(first_[1] ^ 1u, 1, last_addend_[1]);
    const Floats8 az = side(first_[2], 2, first_addend_[2]),
                  bz = side(first_[2] ^ 1u, 2, last_addend_[2]);
    const Floats8 entry = max_lanes(max_lanes(ax * f_.least.x, ay * f_.least.y),
                                    max_lanes(az * f_.least.z, Floats8{}));
    const Floats8 open = in_all_lanes(3.0e38f);
    const Floats8 exit_x = f_.keep_x != 0u ? bx * f_.most.x : open;
    const Floats8 exit_y = f_.keep_y != 0u ? by * f_.most.y : open;
    const Floats8 exit =
        min_lanes(min_lanes(exit_x, exit_y), min_lanes(bz * f_.most.z, in_all_lanes(limit)));
    const Floats8 from_x = f_.low_x < 0.0f ? bz : az, from_y = f_.low_y < 0.0f ? bz : az;
    const auto reaches = [](float slope, Floats8 z, Floats8 x) {
      return fused_lanes(in_all_lanes(slope), z, x) >= 0.0f;
    };
    Ints8 there;
    std::memcpy(&there, n.child, sizeof there);
    entered = true_lanes((entry <= exit) & reaches(-f_.low_x, from_x, bx) &
                         reaches(f_.high_x, bz, -ax) & reaches(-f_.low_y, from_y, by) &
                         reaches(f_.high_y, bz, -ay) & (there != static_cast<i32>(kNowhere)));
    return entry;
  }

  /// The box of child k of a node.
  SeenBox seen(const WideNode& n, u32 k) const {
    const auto side = [&](u32 axis, bool last) {
      return fused(n.side[first_[axis] ^ (last ? 1u : 0u)][k], sign_[axis],
                   last ? last_addend_[axis] : first_addend_[axis]);
    };
    return {{side(0, false), side(1, false), side(2, false)},
            {side(0, true), side(1, true), side(2, true)}};
  }

 private:
  Frustum f_;
  float sign_[3], first_addend_[3], last_addend_[3];
  u32 first_[3];  // the side of each axis at which rays enter
};

/// Tests the rays of a pack whose bits are set in `entering` against the triangles of a leaf.
template <class Counts>
inline void intersect_leaf_by_pack(const WideTree& tree, u32 leaf, u32 entering, RayPack& pack,
                                   Counts counts) {
  const TriangleBlock& block = tree.blocks[leaf_first(leaf)];
  for (u32 k = 0; k < kInBlock && block.id[k] != kNoTriangle; ++k) {
    const LaneHits found = intersect_one(pack.lanes, block, k, pack.best_t);
    for (u32 hits = found.hit & entering; hits != 0u; hits &= hits - 1u) {
      const u32 lane = lowest_bit(hits);
      const Hit hit = found.at(lane, block.id[k]);
      if (!precedes(hit.t, hit.triangle, pack.best[lane])) continue;
      if (!counts(hit, found.front(lane, pack.lanes))) continue;
      pack.best[lane] = hit;
      pack.best_t[lane] = hit.t;
    }
  }
}

/// Walks through the tree with all rays of a group, nearer children first. Returns false if the
/// group gave up, because it cost more than `patience` nodes and leaves: then the best hits are the
/// best so far.
template <class Counts>
inline bool walk_group(const WideTree& tree, const GroupSlabs& slabs, const GroupSigns& signs,
                       RayPack (&packs)[kPacks], u32 patience, Counts counts) {
  struct Open {
    float entry;
    u32 node, child;
  };
  Open open[kMostOpen];
  Open* top = open;
  const WideNode* const nodes = tree.nodes.data();
  const auto farthest = [&] {
    float t = packs[0].farthest();
    for (u32 p = 1; p < kPacks; ++p) t = max_of(t, packs[p].farthest());
    return t;
  };
  float limit = farthest();
  const auto cross = [&](u32 node) {
    u32 entered;
    const Floats8 entries = slabs.enter(nodes[node], limit, entered);
    Open* const bottom = top;
    for (; entered != 0u; entered &= entered - 1u) {
      const u32 k = lowest_bit(entered);
      insert_open(bottom, top, {entries[k], node, k});
    }
  };
  cross(tree.root);
  while (top > open) {
    const Open next = *--top;
    if (next.entry > limit) continue;
    if (patience-- == 0u) return false;
    const u32 reference = nodes[next.node].child[next.child];
    if (is_node(reference)) {
      cross(reference);
      continue;
    }
    const SeenBox box = slabs.seen(nodes[next.node], next.child);
    bool tested = false;
    for (RayPack& pack : packs) {
      const u32 entering = pack.entering(box, signs);
      if (entering == 0u) continue;
      intersect_leaf_by_pack(tree, reference, entering, pack, counts);
      tested = true;
    }
    if (tested) limit = farthest();
  }
  return true;
}

}  // namespace ballotcast::detail
