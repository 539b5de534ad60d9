// Traverses a wide tree with a group of rays from one point, bounded by a frustum. Single rays are
// tested only at leaves.
#pragma once

#include "bvh/wide/ray_group.hpp"
#include "bvh/wide/wide_walk.hpp"

namespace ballotcast::detail {

/// A frustum, prepared for the box tests of wide trees.
class GroupSlabs {
 public:
  /// `origin` is the point where the rays start, in the order of the axes kx, ky, kz.
  GroupSlabs(const Frustum& f, const GroupSigns& signs, vec3 origin, float slack) : f_(f) {
    const u32 axes[3] = {next_axis(signs.kz), previous_axis(signs.kz), signs.kz};
    const float at[3] = {origin.x, origin.y, origin.z};
    for (u32 k = 0; k < 3u; ++k) {
      const bool down = (signs.down >> k & 1u) != 0u;
      first_[k] = 2u * axes[k] + (down ? 1u : 0u);
      sign_[k] = down ? -1.0f : 1.0f;
      const float way = -(at[k] * sign_[k]), wide = kGroupSlack * slack;
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

  /// The box of child k of a node, in the coordinates of the group.
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
  u32 first_[3];  // the side of each axis through which rays enter a box
};

/// The frusta of all packs of a group, one pack per lane.
class PackFrusta {
 public:
  template <u32 kPacks>
  explicit PackFrusta(const RayGroup<kPacks>& group) : least_z_(group.frustum.least.z) {
    static_assert(kPacks <= kLanes);
    const bool down_z = (group.signs.down & 4u) != 0u;
    const auto slopes = [&](const PackBounds& shear, u32 axis, Floats8& low, Floats8& high) {
      const bool turn = ((group.signs.down >> axis & 1u) != 0u) == down_z;
      // Rounded outwards, as in frustum_of.
      low = below(turn ? -shear.most : shear.least);
      high = -below(turn ? shear.least : -shear.most);
    };
    slopes(group.sx, 0, low_x_, high_x_);
    slopes(group.sy, 1, low_y_, high_y_);
  }

  /// The packs with a ray that may enter a box before its best hit: bit p for pack p.
  u32 entering(const SeenBox& box, Floats8 farthest) const {
    const vec3 a = box.first, b = box.last;
    const Floats8 near = in_all_lanes(a.z), far = in_all_lanes(b.z);
    const auto meets = [&](Floats8 low, Floats8 high, float first, float last) {
      return (fused_lanes(-low, low < 0.0f ? far : near, in_all_lanes(last)) >= 0.0f) &
             (fused_lanes(high, high < 0.0f ? near : far, in_all_lanes(-first)) >= 0.0f);
    };
    return true_lanes(meets(low_x_, high_x_, a.x, b.x) & meets(low_y_, high_y_, a.y, b.y) &
                      (a.z * least_z_ <= farthest));
  }

 private:
  static Floats8 below(Floats8 slope) {
    return fused_lanes(-magnitude_of_lanes(slope), in_all_lanes(0x1p-20f), slope);
  }

  Floats8 low_x_, high_x_, low_y_, high_y_;
  float least_z_;
};

/// The corners of the triangles of a leaf, relative to the point where the rays start:
/// corner[axis][corner], with the axes in the order kx, ky, kz.
struct SeenTriangles {
  Floats8 corner[3][3];

  SeenTriangles(const TriangleBlock& block, const RayLanes& rays) {
    const u32 axes[3] = {rays.kx, rays.ky, rays.kz};
    const Floats8 origin[3] = {rays.ox, rays.oy, rays.oz};
    for (u32 axis = 0; axis < 3u; ++axis)
      for (u32 c = 0; c < 3u; ++c)
        corner[axis][c] = load_lanes(block.corner[axes[axis]][c]) - origin[axis];
  }

  /// The triangles that some ray of a pack may hit: bit k for triangle k. For any ray, a sheared
  /// corner lies between the corners that are sheared by the smallest and by the largest shear of
  /// the rays, because rounding is monotonic. If all three corners lie on one side of the rays, no
  /// ray hits the triangle. `slack` excludes numbers that are so small that the weights of a
  /// triangle would underflow and lose their signs.
  template <u32 kPacks>
  u32 may_be_hit(const RayGroup<kPacks>& group, u32 pack, Floats8 slack) const {
    const auto &x = corner[0], &y = corner[1], &z = corner[2];
    const auto beside = [&](const Floats8(&a)[3], const PackBounds& shear) {
      const Floats8 least_shear = in_all_lanes(shear.least[pack]);
      const Floats8 most_shear = in_all_lanes(shear.most[pack]);
      Floats8 low{}, high{};
      for (u32 c = 0; c < 3u; ++c) {
        const Floats8 p = fused_lanes(least_shear, z[c], a[c]);
        const Floats8 q = fused_lanes(most_shear, z[c], a[c]);
        low = c == 0u ? min_lanes(p, q) : min_lanes(low, min_lanes(p, q));
        high = c == 0u ? max_lanes(p, q) : max_lanes(high, max_lanes(p, q));
      }
      return (low > slack) | (high < -slack);
    };
    Floats8 low = min_lanes(z[0], min_lanes(z[1], z[2]));
    Floats8 high = max_lanes(z[0], max_lanes(z[1], z[2]));
    if ((group.signs.down & 4u) != 0u) {
      const Floats8 other = -low;
      low = -high, high = other;
    }
    const Ints8 away = beside(x, group.sx) | beside(y, group.sy) |
                       (low * group.iz.least[pack] > group.farthest[pack]) | (high <= 0.0f);
    return ~true_lanes(away) & ((1u << kLanes) - 1u);
  }
};

/// Tests the rays of a pack whose bits are set in `entering` against the triangles of a leaf.
template <RayKind kKind, class Accepts>
inline void intersect_leaf_by_pack(const TriangleBlock& block, const SeenTriangles& seen,
                                   u32 triangles, u32 entering, RayPack& pack,
                                   const Accepts& accepts) {
  for (; triangles != 0u && entering != 0u; triangles &= triangles - 1u) {
    const u32 k = lowest_bit(triangles);
    const u32 id = block.id[k];
    const LaneHits found = intersect_seen(pack.lanes, pack.best.t, [&](u32 axis, u32 corner) {
      return in_all_lanes(seen.corner[axis][corner][k]);
    });
    u32 hits = found.hit & entering;
    if (hits == 0u) continue;
    const Ints8 ids = Ints8{} + static_cast<i32>(id);
    EightHits& best = pack.best;
    if (kKind == RayKind::closest) {
      // The comparison of vectors is signed; the sign bits are flipped so that ids are compared as
      // unsigned numbers.
      const Ints8 flip = Ints8{} + std::numeric_limits<i32>::min();
      hits &= true_lanes((found.t < best.t) |
                         ((found.t == best.t) & ((ids ^ flip) < (best.triangle ^ flip))));
    }
    if (accepts.may_refuse())
      for (u32 rest = hits; rest != 0u; rest &= rest - 1u) {
        const u32 lane = lowest_bit(rest);
        if (!accepts(found.at(lane, id), found.front(lane, pack.lanes))) hits ^= 1u << lane;
      }
    const Ints8 taken = lanes_of_bits(hits);
    best.triangle = taken ? ids : best.triangle;
    if (kKind == RayKind::any) {
      pack.asking &= ~hits;
      entering &= ~hits;
      continue;
    }
    best.t = taken ? found.t : best.t;
    best.u = taken ? found.v * found.inverse : best.u;
    best.v = taken ? found.w * found.inverse : best.v;
  }
}

/// As intersect_leaf_by_pack, but tests one ray after the other.
template <RayKind kKind, class Accepts>
inline void intersect_leaf_by_ray(const TriangleBlock& block, const SeenTriangles& seen,
                                  u32 triangles, u32 entering, RayPack& pack,
                                  const Accepts& accepts) {
  RayLanes ray = pack.lanes;
  EightHits& best = pack.best;
  for (; entering != 0u; entering &= entering - 1u) {
    const u32 lane = lowest_bit(entering);
    ray.sx = in_all_lanes(pack.lanes.sx[lane]), ray.sy = in_all_lanes(pack.lanes.sy[lane]);
    ray.sz = in_all_lanes(pack.lanes.sz[lane]);
    const LaneHits found =
        intersect_seen(ray, in_all_lanes(best.t[lane]),
                       [&](u32 axis, u32 corner) { return seen.corner[axis][corner]; });
    for (u32 hits = found.hit & triangles; hits != 0u; hits &= hits - 1u) {
      const u32 k = lowest_bit(hits);
      const Hit hit = found.at(k, block.id[k]);
      const Hit so_far{best.t[lane], static_cast<u32>(best.triangle[lane]), 0.0f, 0.0f};
      if (!precedes(hit.t, hit.triangle, so_far) || !accepts(hit, found.front(k, ray))) continue;
      best.triangle[lane] = static_cast<i32>(hit.triangle);
      if (kKind == RayKind::any) {
        pack.asking ^= 1u << lane;
        break;
      }
      best.t[lane] = hit.t, best.u[lane] = hit.u, best.v[lane] = hit.v;
    }
  }
}

/// Traverses the tree with all rays of a group, with nearer children first for closest hits.
/// Returns false if the traversal was stopped because it visited more than `patience` nodes and
/// leaves; then the hits are the best found so far.
template <RayKind kKind, u32 kPacks, class Accepts>
inline bool walk_group(const WideTree& tree, RayGroup<kPacks>& group, u32 patience,
                       const Accepts& accepts) {
  struct Open {
    float entry;
    u32 node, child;
  };
  Open open[kMostOpen];
  Open* top = open;
  const WideNode* const nodes = tree.nodes.data();
  const GroupSlabs slabs(group.frustum, group.signs, group.origin, group.slack);
  const Floats8 slack = in_all_lanes(kGroupSlack * group.slack);
  const PackFrusta frusta(group);
  u32 asking = (1u << kPacks) - 1u;  // bit p for pack p: some of its rays are not finished
  float limit = most_of_lanes(group.farthest);
  const auto cross = [&](u32 node) {
    u32 entered;
    const Floats8 entries = slabs.enter(nodes[node], limit, entered);
    for (u32 rest = entered; rest != 0u; rest &= rest - 1u)
      fetch(tree, nodes[node].child[lowest_bit(rest)]);
    Open* const bottom = top;
    if (kKind == RayKind::any) {
      // Pushes the children so that the first child is on top.
      for (; entered != 0u;) {
        const u32 k = highest_bit(entered);
        entered ^= 1u << k;
        *top++ = {entries[k], node, k};
      }
      return;
    }
    for (; entered != 0u; entered &= entered - 1u) {
      const u32 k = lowest_bit(entered);
      insert_open(bottom, top, {entries[k], node, k});
    }
  };
  cross(tree.root);
  while (top > open) {
    const Open next = *--top;
    if (kKind == RayKind::closest && next.entry > limit) continue;
    if (patience-- == 0u) return false;
    const u32 reference = nodes[next.node].child[next.child];
    if (is_node(reference)) {
      cross(reference);
      continue;
    }
    const SeenBox box = slabs.seen(nodes[next.node], next.child);
    u32 packs = frusta.entering(box, group.farthest) & asking;
    if (packs == 0u) continue;
    const TriangleBlock& block = tree.blocks[block_of(reference)];
    const SeenTriangles seen(block, group.packs[0].lanes);
    Ints8 ids;
    std::memcpy(&ids, block.id, sizeof ids);
    const u32 there = true_lanes(ids != static_cast<i32>(kNoTriangle));
    for (; packs != 0u; packs &= packs - 1u) {
      const u32 p = lowest_bit(packs);
      RayPack& pack = group.packs[p];
      const u32 entering = pack.entering(box, group.signs);
      if (entering != 0u) {
        const u32 triangles = seen.may_be_hit(group, p, slack) & there;
        if (count_bits(entering) <= count_bits(triangles))
          intersect_leaf_by_ray<kKind>(block, seen, triangles, entering, pack, accepts);
        else
          intersect_leaf_by_pack<kKind>(block, seen, triangles, entering, pack, accepts);
      }
      if (kKind == RayKind::any) asking ^= pack.asking == 0u ? 1u << p : 0u;
      if (kKind == RayKind::closest) group.farthest[p] = most_of_lanes(pack.best.t);
    }
    if (asking == 0u) return true;
    if (kKind == RayKind::closest) limit = most_of_lanes(group.farthest);
  }
  return true;
}

}  // namespace ballotcast::detail
