// The last rays of a warp. While one ray of 32 still walks, 31 lanes wait. So the whole warp takes
// over the last rays, one after the other (warp_walk.hpp). This shortens the end of a cast.
//
//  stack of the ray's lane      stack of the warp
//  in the lane's column         in the columns of all lanes
//
//  node or leaf of the walk     box n         the nearest
//  row n     far child          box n - 1
//  ..        ..                 ..
//  row 1     far child          box 0
//  row 0     end of the walk
#pragma once

#include "kernels/pipelines/warp/warp_walk.hpp"

namespace ballotcast::detail {

/// True if a warp may share the work of its last rays: every hit counts, leaf visits are not
/// counted, and the nodes of the View have a layout that warps can walk through.
template <class View, bool kPlain>
inline constexpr bool kMayShare = (kPlain && View::kForGroups);

/// The last rays of a warp. `kShares`: if false, `cast` does nothing.
template <class View, RayKind kKind, bool kPlain, bool kShares = kMayShare<View, kPlain>>
class LastRays {
  static_assert(!kShares || kMayShare<View, kPlain>);

 public:
  using Walk = LaneWalk<View, kKind, kPlain>;
  using Rest = typename Walk::Rest;
  using Layout = typename View::LayoutType;

  /// The number of busy lanes at which the warp takes over. The host computes it, because computing
  /// it in the kernel would take a register from the walks. 0 for trees of few levels: the lanes'
  /// columns then have no room for the boxes of a lane and of the warp.
  static u32 fewest(u32 depth) {
    return kShares && kWarpSize * rows(depth) >= kWarpSize * most_warp_rows(depth) + depth ? kMost
                                                                                           : 0u;
  }

  /// The whole warp casts the rays of its busy lanes, which are at most kMost. All lanes of the
  /// warp must call this. `columns`: the stacks of the warp's lanes.
  template <class Lane>
  BC_DEVICE static void cast(Lane& lane, Walk& walk, u32* columns, const View& view,
                             const RayBatch<Layout>& batch) {
    if constexpr (kShares) {
      if (!lane.any(walk.busy())) return;
      walk.finish(walk_on(lane, columns, walk.rest(), view, batch.rays), batch);
    }
  }

 private:
  // Most rays that a warp takes over: the fastest number on an H200, see
  // docs/results/last-rays-h200.txt.
  static constexpr u32 kMost = 2;
  static constexpr u32 kWordsALane = 2;  // words of a stack that each lane holds, see Column
  static_assert(kDeepestLevel <= kWordsALane * kWarpSize);

  using Stack = WarpStack<kWarpBlock>;

  /// The stack of one lane, spread over the warp: lane n holds its rows n + 1 and n + 33.
  struct Column {
    u32 boxes;
    u32 row[kWordsALane];
  };

  /// The number of rows of the warp's stack, which lies in the memory of the lanes' stacks.
  BC_HD static u32 rows(u32 depth) { return stack_words(depth) / 2u; }

  /// The stack of the lowest lane in the mask `lanes`; empty if there is none. `boxes`: the number
  /// of boxes on the stack of the calling lane.
  template <class Lane>
  BC_DEVICE static Column column_of(Lane& lane, const u32* columns, u32 lanes, u32 boxes) {
    Column column{};
    if (lanes == 0u) return column;
    const u32 of = lowest_bit(lanes);
    column.boxes = lane.shuffle(boxes, of);
    BC_UNROLL
    for (u32 k = 0; k < kWordsALane; ++k) {
      const u32 place = k * kWarpSize + lane.lane();
      if (place < column.boxes) column.row[k] = columns[(place + 1u) * kWarpBlock + of];
    }
    return column;
  }

  /// Completes the lanes' walks. Returns the hit of this lane's ray.
  template <class Lane>
  BC_DEVICE static Hit walk_on(Lane& lane, u32* columns, Rest rest, const View& view,
                               const Ray* rays) {
    const u32 first = lane.ballot(is_somewhere(rest.at)), second = first & (first - 1u);
    lane.sync_warp();  // so that each lane can read the stacks of the others
    const Column of_first = column_of(lane, columns, first, rest.boxes);
    const Column of_second = column_of(lane, columns, second, rest.boxes);
    lane.sync_warp();  // from now on, the columns are the stack of the warp
    Stack stack(columns, rows(view.shape.depth));
    walk_with_all(lane, stack, of_first, lowest_bit(first), view, rays, rest);
    if (second != 0u) walk_with_all(lane, stack, of_second, lowest_bit(second), view, rays, rest);
    return rest.best;
  }

  /// The whole warp completes the walk of lane `of`, whose stack is `column`.
  template <class Lane>
  BC_DEVICE static void walk_with_all(Lane& lane, Stack& stack, const Column& column, u32 of,
                                      const View& view, const Ray* rays, Rest& rest) {
    const auto shuffled = [&](u32 word) { return lane.shuffle(word, of); };
    BC_UNROLL
    for (u32 k = 0; k < kWordsALane; ++k) {
      const u32 place = k * kWarpSize + lane.lane();
      if (place < column.boxes) stack.put(place, column.row[k], 0);
    }
    if (lane.lane() == of) stack.put(column.boxes, rest.at, 0);
    stack.top = column.boxes + 1u;
    lane.sync_warp();
    const u32 place = shuffled(rest.place);
    const WalkFrame frame = view.frame(place);
    const RayToCast cast = ray_to_cast(view, place, frame, rays[place]);
    Hit best = miss_of(cast.ray);
    if constexpr (kKind == RayKind::closest) best = moved_hit(rest.best, shuffled);
    best = WarpWalk<View, kKind>::walk(lane, stack, view, frame, cast, best);
    if (lane.lane() == of) rest.best = best;
    lane.sync_warp();
  }
};

}  // namespace ballotcast::detail
