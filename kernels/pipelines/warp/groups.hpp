// The kernel of pipeline warp for many coherent rays. Rays that start at one point may walk in
// groups.
#pragma once

#include "kernels/pipelines/warp/at_once.hpp"
#include "kernels/pipelines/warp/group.hpp"

namespace ballotcast::detail {

struct GroupPlan {
  u32 stride;    // 0: cast all groups; else this launch is a trial of every stride-th group
  i32 patience;  // see GroupWalk
  bool alone;    // no earlier kernel has looked at the rays or cast them
};

/// Each warp takes 64 rays that follow each other in the order of the cast, and walks with them as
/// one group. If GroupWalk can't do that, or gives up, the rays walk one per lane, 32 at a time.
/// Such rays take long, and a cast of few groups waits for the last of them. So with `kShares` the
/// warps of a block share them:
///
///   warp of the block      0      1      2      3
///   its group              done   gives  done   done
///                                 up
///   barrier ---------------------------------------
///   walks per lane with    rays   rays
///   half a group           0-31   32-63               of the group of warp 1
///
/// The scene decides whether this kernel or one ray per lane (CastCoherent) is faster: the smaller
/// the triangles, the less a group gains. So a trial comes first. It takes groups from all over the
/// batch; every second one walks as a group, the others with one ray per lane. WarpFindings keeps
/// the times of both. Times decide only which kernel runs: all kernels find the same hits. Only for
/// casts in which every hit counts and leaf visits are not counted.
///
/// `kRows`: true if rays that come row by row (rows.hpp) are cast tile by tile. False: all rays are
/// cast in the order of the batch, which is 2 % faster on an H200. A wrong choice costs only time.
/// A trial needs `kShares` false: then the ticks of a warp are those of its group.
template <class View, bool kRows, bool kShares = false>
struct CastGroups {
  static_assert(View::kForGroups);
  using Walk = LaneWalk<View, RayKind::closest, true, 1>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  // The fastest values on an H200: see groups-h200.txt and incoherent-h200.txt in docs/results.
  static constexpr u32 kBlockSize = kShares ? 128 : 64;
  static constexpr u32 kBlocksAtOnce = kShares ? 9 : 18;

  // Shared memory per lane, in words.
  static constexpr u32 kWords = GroupWalk<View>::kWords / kWarpSize;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch,
                            WarpChoice* choice, GroupPlan plan) {
    if (!begin_coherent(lane, *choice, batch.rays, batch.count, plan.alone)) return;
    assume_plain<true>(view, batch);
    const u32 warp = lane.id() / kWarpSize;
    const bool is_trial = plan.stride > 0u;
    const u32 apart = kGroupRays * (is_trial ? plan.stride : 1u);
    const bool as_group = !is_trial || warp % 2u != 0u;
    const auto order = [&] {
      if constexpr (kRows)
        return choice->order(lane, batch.count);
      else
        return GivenOrder{};
    };
    const u32 begin = lane.ticks();
    auto end = GroupEnd::unfit;
    if (as_group) {
      GroupWalk<View> walk(words + lane.warp() * GroupWalk<View>::kWords);
      end = walk.run(lane, view, batch, order, warp * apart, plan.patience);
    }
    Rest rest = Rest::of(lane.warp(), end);
    if constexpr (kShares) rest = shared(lane, words, rest);
    if (rest.halves != 0u) walk_per_lane(lane, view, batch, order(), apart, rest);
    if (is_trial && lane.lane() == 0u)
      lane.fetch_add(&choice->ticks[as_group ? 1 : 0], (lane.ticks() - begin) / kTicksAStep);
  }

 private:
  static constexpr u32 kWarps = kBlockSize / kWarpSize;

  /// The rays that a warp casts one per lane.
  struct Rest {
    u32 halves;  // bits 2 w and 2 w + 1: the first and the last 32 rays of the group of warp w
    u32 begun;   // bit w: the rays of warp w have walked as a group, so they have hits already

    BC_DEVICE static Rest of(u32 warp, GroupEnd end) {
      return {end == GroupEnd::done ? 0u : 3u << 2u * warp,
              end == GroupEnd::unfinished ? 1u << warp : 0u};
    }
  };

  /// The part of this warp in the rests of all warps of the block: every kWarps-th of the halves,
  /// from the one with the number of the warp on. All lanes of the block must call this.
  template <class Lane>
  BC_DEVICE static Rest shared(Lane& lane, u32* words, const Rest& own) {
    constexpr u32 kWordsAWarp = GroupWalk<View>::kWords;
    lane.sync_warp();  // all lanes have read the words of their group
    if (lane.lane() == 0u) {
      words[lane.warp() * kWordsAWarp] = own.halves;
      words[lane.warp() * kWordsAWarp + 1u] = own.begun;
    }
    lane.sync_block();
    u32 left = 0u;
    Rest mine{};
    BC_UNROLL
    for (u32 warp = 0; warp < kWarps; ++warp) {
      left |= words[warp * kWordsAWarp];
      mine.begun |= words[warp * kWordsAWarp + 1u];
    }
    for (u32 turn = 0; left != 0u; ++turn) {
      if (turn % kWarps == lane.warp()) mine.halves |= left & (0u - left);
      left &= left - 1u;
    }
    return mine;
  }

  /// Casts the rays one per lane. The stacks of these walks are in local memory: most groups need
  /// no such walk, and stacks in shared memory would make the L1 cache smaller for all groups.
  /// `apart`: the first rays of the groups of two warps that follow each other are so far apart.
  template <class Lane, class Order>
  BC_DEVICE static void walk_per_lane(Lane& lane, const View& view, const RayBatch<Layout>& batch,
                                      const Order& order, u32 apart, Rest rest) {
    u32 bottom[kDeepestLevel + 1];
    Walk walk(bottom);
    BC_NO_UNROLL
    while (rest.halves != 0u) {
      const u32 half = lowest_bit(rest.halves), warp = half / 2u;
      rest.halves &= rest.halves - 1u;
      const u32 first = (lane.block() * kWarps + warp) * apart + half % 2u * kWarpSize;
      const u32 place = order.place(first + lane.lane());
      if (place < batch.count) {
        walk.begin(bottom, place, view, batch);
        if ((rest.begun >> warp & 1u) != 0u) walk.continue_from(batch.hits[place]);
      }
      walk.template walk_by_votes<CastCoherent<View, RayKind::closest, true>::kLeafWeight>(
          lane, 0u, view, batch);
      walk.end(batch);
    }
  }
};

}  // namespace ballotcast::detail
