// Few rays: a whole warp walks with one ray.
//
// A GPU has room for far more lanes than a small cast has rays. Such a cast takes as long as its
// slowest ray, which waits for memory at every step. So the lanes of a warp share the steps of a
// ray. Each team of eight lanes takes one of the four nearest boxes on the stack of the warp:
//
//   a node: the lanes test what lies three levels below it, one box per lane (three_levels.hpp),
//           and push what the ray enters
//   a leaf: the lanes test its triangles, one per lane; a leaf has eight at most
#pragma once

#include "kernels/pipelines/warp/lane_walk.hpp"
#include "kernels/pipelines/warp/three_levels.hpp"

namespace ballotcast::detail {

/// `View`: without cut-outs, and without leaf visits to count.
template <class View, RayKind kKind>
class CastRayPerWarp {
  static_assert(View::kForGroups);
  static_assert(kTeam == 1u << kCountBits, "a leaf has as many triangles as a team has lanes");

 public:
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  static constexpr u32 kRaysPerBlock = kBlockSize / kWarpSize;

  /// The words of shared memory per lane, for a tree of this depth. Deeper boxes lie higher on the
  /// stack, and a box is taken only together with all that are deeper. So at most 32 boxes of each
  /// third level are on the stack at a time.
  static u32 words(u32 depth) { return 2u * ((depth + 2u) / 3u + 1u); }

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* shared, View view, RayBatch<Layout> batch, u32 words) {
    const u32 i = lane.id() / kWarpSize;
    if (i >= batch.count) return;
    forget_what_is_plain<true>(view, batch);
    const Ray given = batch.rays[i];
    const WalkFrame frame = view.frame(i);
    const RayToCast cast = ray_to_cast(view, i, frame, given);
    Hit best = miss_of(given);
    if (cast.setup.valid) {
      best = miss_of(cast.ray);
      Stack stack(shared + lane.warp() * kWarpSize * words, words);
      if (is_somewhere(frame.shape.root)) walk(lane, stack, view, cast, frame, best);
      best = given_hit(given, frame.magnitude, kKind, best_of_warp(lane, best));
    }
    if (lane.lane() == 0u) batch.hits[i] = best;
  }

 private:
  /// The boxes that are still to visit. All lanes have the same `top`.
  struct Stack {
    u32* references;
    i32* entries;  // where the ray enters them
    u32 top = 0u;

    BC_DEVICE Stack(u32* memory, u32 words)
        : references(memory), entries(reinterpret_cast<i32*>(memory + kWarpSize * words / 2u)) {}
  };

  /// `best`: the best hit with the triangles that this lane has tested.
  template <class Lane>
  BC_DEVICE static void walk(Lane& lane, Stack& stack, const View& view, const RayToCast& cast,
                             const WalkFrame& frame, Hit& best) {
    const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
    i32 limit = Layout::limit_of(slabs, best.t);  // the least of all lanes
    if (lane.lane() == 0u) {
      stack.references[0] = frame.shape.root;
      stack.entries[0] = 0;
    }
    stack.top = 1u;
    lane.sync_warp();
    while (stack.top > 0u) {
      const u32 reference = pop(lane, stack, limit);
      if (lane.any(is_leaf(reference))) {
        const u32 place = lane.lane() % kTeam;
        if (is_leaf(reference) && place < leaf_count(reference))
          test(view, cast, leaf_reference(leaf_first(reference) + place, 1u), best);
        if constexpr (kKind == RayKind::any) {
          if (lane.any(best.found())) return;
        } else {
          limit = lane.reduce_min(Layout::limit_of(slabs, best.t));
        }
      }
      if (lane.any(is_node(reference)))
        push_below(lane, view, slabs, is_node(reference) ? reference : kNowhere, limit, stack);
    }
  }

  /// Takes the nearest boxes from the stack, one for each team, and drops those behind `limit` that
  /// lie above them.
  template <class Lane>
  BC_DEVICE static u32 pop(Lane& lane, Stack& stack, i32 limit) {
    const bool live =
        lane.lane() < stack.top && stack.entries[stack.top - 1u - lane.lane()] <= limit;
    const u32 all = lane.ballot(live);
    const Taken taken = take_one_per_team(lane, all);
    const u32 reference =
        taken.mine != 0u ? stack.references[stack.top - 1u - lowest_bit(taken.mine)] : kNowhere;
    const bool more = all > 2u * taken.last - 1u;  // there are live ones below the last one
    const u32 gone = more ? lowest_bit(taken.last) + 1u : kWarpSize;
    stack.top -= gone < stack.top ? gone : stack.top;
    return reference;
  }

  template <class Lane, class Slabs>
  BC_DEVICE static void push_below(Lane& lane, const View& view, const Slabs& slabs, u32 node,
                                   i32 limit, Stack& stack) {
    const BoxBelow<Layout> below = look_below<Layout>(lane, view.nodes, node);
    BoxEntry entry{0, false};
    if (is_somewhere(below.reference)) entry = Layout::enter(below.child, slabs, limit);
    const PushPlace place = place_to_push(lane, entry);
    lane.sync_warp();  // everyone has popped; now the places may be used again
    if (entry.enters) {
      stack.references[stack.top + place.below] = below.reference;
      stack.entries[stack.top + place.below] = entry.entry;
    }
    stack.top += place.count;
    lane.sync_warp();
  }

  BC_DEVICE static void test(const View& view, const RayToCast& cast, u32 leaf, Hit& best) {
    intersect_rows(cast.setup, cast.ray.t_min, view.triangles, leaf, 0u, kKind, best,
                   [](const Hit&) { return true; });
  }

  template <class Lane>
  BC_DEVICE static Hit best_of_warp(Lane& lane, Hit best) {
    BC_UNROLL
    for (u32 half = 1u; half < kWarpSize; half *= 2u) {
      const Hit other{float_of(lane.shuffle_xor(bits_of(best.t), half)),
                      lane.shuffle_xor(best.triangle, half),
                      float_of(lane.shuffle_xor(bits_of(best.u), half)),
                      float_of(lane.shuffle_xor(bits_of(best.v), half))};
      if (precedes(other.t, other.triangle, best)) best = other;
    }
    return best;
  }
};

}  // namespace ballotcast::detail
