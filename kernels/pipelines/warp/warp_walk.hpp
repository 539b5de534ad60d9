// A whole warp walks with one ray, and its lanes share the work. Each team of eight lanes takes one
// of the four nearest boxes on the stack of the warp:
//
//  a node: the lanes test what lies three levels below it, one box per lane (three_levels.hpp),
//          and push what the ray enters
//  a leaf: the lanes test its triangles, one per lane; a leaf has at most eight
#pragma once

#include "kernels/pipelines/warp/lane_walk.hpp"
#include "kernels/pipelines/warp/three_levels.hpp"

namespace ballotcast::detail {

/// The boxes that a warp has still to visit, in shared memory: first the references, then the
/// distances at which the ray enters the boxes. Both are stored in rows of 32 words. A row begins
/// `kRow` words after the previous row.
template <u32 kRow>
class WarpStack {
 public:
  u32 top = 0u;  // number of boxes; the same in all lanes

  /// `words` has room for `rows` rows of references, and for the same number of rows of entries.
  BC_DEVICE WarpStack(u32* words, u32 rows)
      : references_(words), entries_(reinterpret_cast<i32*>(words + rows * kRow)) {}

  BC_DEVICE u32 reference(u32 k) const { return references_[word(k)]; }
  BC_DEVICE i32 entry(u32 k) const { return entries_[word(k)]; }
  BC_DEVICE void put(u32 k, u32 reference, i32 entry) {
    references_[word(k)] = reference;
    entries_[word(k)] = entry;
  }

 private:
  BC_DEVICE static u32 word(u32 k) {
    if constexpr (kRow == kWarpSize) return k;
    return k / kWarpSize * kRow + k % kWarpSize;
  }

  u32* references_;
  i32* entries_;
};

/// The most rows on a warp's stack, during a walk from the root of a tree of this depth. Deeper
/// boxes lie higher on the stack, and a box is taken only together with all deeper boxes. So at
/// most 32 boxes of each third level are on the stack at a time.
BC_HD inline u32 most_warp_rows(u32 depth) { return (depth + 2u) / 3u + 1u; }

/// The hit that another lane holds. `move`: the shuffle that brings a word from that lane.
template <class Move>
BC_DEVICE inline Hit moved_hit(const Hit& hit, Move move) {
  return {float_of(move(bits_of(hit.t))), move(hit.triangle), float_of(move(bits_of(hit.u))),
          float_of(move(bits_of(hit.v)))};
}

/// The walk of a whole warp with one ray. Only for casts in which every hit counts and leaf visits
/// are not counted.
template <class View, RayKind kKind>
class WarpWalk {
  using Layout = typename View::LayoutType;
  static_assert(View::kForGroups);
  static_assert(kTeam == kLargestLeaf, "a leaf has as many triangles as a team has lanes");

 public:
  /// Casts the ray through the whole tree, from `root`. The stack must be empty. Returns as `walk`
  /// does.
  template <class Lane, class Stack>
  BC_DEVICE static Hit walk_from(Lane& lane, u32 root, Stack& stack, const View& view,
                                 const WalkFrame& frame, const RayToCast& cast, Hit best) {
    if (is_node(root)) {
      const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
      const i32 limit = Layout::limit_of(slabs, best.t);
      // The whole warp takes the root. (Four teams would use only eight lanes for it.)
      push_below<kWarpSize>(lane, view, slabs, root, limit, stack);
    } else if (is_leaf(root)) {
      if (lane.lane() == 0u) stack.put(0u, root, 0);
      stack.top = 1u;
      lane.sync_warp();
    }
    return walk(lane, stack, view, frame, cast, best);
  }

  /// Visits the boxes on the stack and everything below them. `best`: the best hit so far, the same
  /// in all lanes. Returns the best hit; with RayKind::any, some hit.
  template <class Lane, class Stack>
  BC_DEVICE static Hit walk(Lane& lane, Stack& stack, const View& view, const WalkFrame& frame,
                            const RayToCast& cast, Hit best) {
    const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
    i32 limit = Layout::limit_of(slabs, best.t);  // the smallest of all lanes
    while (stack.top > 0u) {
      const u32 reference = pop(lane, stack, limit);
      if (lane.any(is_leaf(reference))) {
        const u32 place = lane.lane() % kTeam;
        if (is_leaf(reference)) test_one(cast, view.rows_of(reference), place, best);
        if constexpr (kKind == RayKind::any) {
          if (lane.any(best.found())) break;
        } else {
          limit = lane.reduce_min(Layout::limit_of(slabs, best.t));
        }
      }
      if (lane.any(is_node(reference)))
        push_below<kTeam>(lane, view, slabs, is_node(reference) ? reference : kNowhere, limit,
                          stack);
    }
    return best_of_warp(lane, best);
  }

 private:
  /// Pops the nearest boxes before `limit` from the stack, one for each team. Drops the boxes above
  /// them, which are not before `limit`. Returns the box of this lane's team, or kNowhere.
  template <class Lane, class Stack>
  BC_DEVICE static u32 pop(Lane& lane, Stack& stack, i32 limit) {
    const bool live = lane.lane() < stack.top && stack.entry(stack.top - 1u - lane.lane()) <= limit;
    const u32 all = lane.ballot(live);
    const Taken taken = take_one_per_team(lane, all);
    const u32 reference =
        taken.mine != 0u ? stack.reference(stack.top - 1u - lowest_bit(taken.mine)) : kNowhere;
    // There are more boxes before `limit` below the taken boxes.
    const bool more = all != taken.all;
    const u32 gone = more ? highest_bit(taken.all) + 1u : kWarpSize;
    stack.top -= gone < stack.top ? gone : stack.top;
    return reference;
  }

  /// Pushes those boxes below a node that the ray enters. Each team of `kLanes` lanes has its own
  /// `node`.
  template <u32 kLanes, class Lane, class Slabs, class Stack>
  BC_DEVICE static void push_below(Lane& lane, const View& view, const Slabs& slabs, u32 node,
                                   i32 limit, Stack& stack) {
    const BoxBelow<Layout> below = look_below<Layout, kLanes>(lane, view.nodes, node);
    BoxEntry entry{0, false};
    if (is_somewhere(below.reference)) entry = Layout::enter(below.child, slabs, limit);
    const PushPlace place = place_to_push<kLanes>(lane, entry);
    lane.sync_warp();  // all lanes have popped their entries; now these may be overwritten
    if (entry.enters) stack.put(stack.top + place.below, below.reference, entry.entry);
    stack.top += place.count;
    lane.sync_warp();
  }

  /// Tests triangle number `place` of a leaf, if the leaf has so many.
  BC_DEVICE static void test_one(const RayToCast& cast, const LeafRows& leaf, u32 place,
                                 Hit& best) {
    if (place < leaf.count)
      intersect_rows(cast.setup, cast.ray.t_min, {leaf.row + 3u * place, 1u}, 0u, kKind, best,
                     EveryHit{});
  }

  template <class Lane>
  BC_DEVICE static Hit best_of_warp(Lane& lane, Hit best) {
    BC_UNROLL
    for (u32 half = 1u; half < kWarpSize; half *= 2u) {
      const Hit other = moved_hit(best, [&](u32 word) { return lane.shuffle_xor(word, half); });
      if (precedes(other.t, other.triangle, best)) best = other;
    }
    return best;
  }
};

/// The kernel for casts of few rays: a warp per ray. A small cast has far fewer rays than a GPU has
/// room for lanes. The cast takes as long as its slowest ray, which waits for memory at every step.
/// A warp that shares the steps of a ray needs fewer of these waits. Only for casts in which every
/// hit counts and leaf visits are not counted.
template <class View, RayKind kKind>
struct CastRayPerWarp {
  using Layout = typename View::LayoutType;
  using Walk = WarpWalk<View, kKind>;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  static constexpr u32 kRaysPerBlock = kBlockSize / kWarpSize;

  /// The number of words of shared memory per lane, for a tree of this depth.
  static u32 words(u32 depth) { return 2u * most_warp_rows(depth); }

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* shared, View view, RayBatch<Layout> batch, u32 words) {
    const u32 i = lane.id() / kWarpSize;
    if (i >= batch.count) return;
    assume_plain<true>(view, batch);
    const Ray given = batch.rays[i];
    const WalkFrame frame = view.frame(i);
    const RayToCast cast = ray_to_cast(view, i, frame, given);
    Hit best = miss_of(given);
    if (cast.setup.valid) {
      best = miss_of(cast.ray);
      WarpStack<kWarpSize> stack(shared + lane.warp() * kWarpSize * words, words / 2u);
      best = Walk::walk_from(lane, frame.shape.root, stack, view, frame, cast, best);
      best = given_hit(given, frame.magnitude, kKind, best);
    }
    if (lane.lane() == 0u) batch.hits[i] = best;
  }
};

}  // namespace ballotcast::detail
