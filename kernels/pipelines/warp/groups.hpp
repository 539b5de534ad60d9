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
/// one group. If GroupWalk can't do that, or gives up, the rays walk one per lane: first 32 rays,
/// then the other 32.
///
/// The scene decides whether this kernel or one ray per lane (CastCoherent) is faster: the smaller
/// the triangles, the less a group gains. So a trial comes first. It takes groups from all over the
/// batch; every second one walks as a group, the others with one ray per lane. WarpFindings keeps
/// the times of both. Times decide only which kernel runs: all kernels find the same hits. Only for
/// casts in which every hit counts and leaf visits are not counted.
///
/// `kRows`: true if rays that come row by row (rows.hpp) are cast tile by tile. False: all rays are
/// cast in the order of the batch, which is 2 % faster on an H200. A wrong choice costs only time.
template <class View, bool kRows>
struct CastGroups {
  static_assert(View::kForGroups);
  using Walk = LaneWalk<View, RayKind::closest, true, 1>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  // The fastest values on an H200: see docs/results/groups-h200.txt.
  static constexpr u32 kBlockSize = 64;
  static constexpr u32 kBlocksAtOnce = 18;

  // Shared memory per lane, in words.
  static constexpr u32 kWords = GroupWalk<View>::kWords / kWarpSize;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch,
                            WarpChoice* choice, GroupPlan plan) {
    if (!begin_coherent(lane, *choice, batch.rays, batch.count, plan.alone)) return;
    assume_plain<true>(view, batch);
    words += lane.warp() * GroupWalk<View>::kWords;
    const u32 warp = lane.id() / kWarpSize;
    const bool is_trial = plan.stride > 0u;
    const u32 first = kGroupRays * warp * (is_trial ? plan.stride : 1u);
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
      GroupWalk<View> walk(words);
      end = walk.run(lane, view, batch, order, first, plan.patience);
    }
    if (end != GroupEnd::done) walk_per_lane(lane, view, batch, order(), first, end);
    if (is_trial && lane.lane() == 0u)
      lane.fetch_add(&choice->ticks[as_group ? 1 : 0], (lane.ticks() - begin) / kTicksAStep);
  }

 private:
  /// Casts the rays one per lane. The stacks of these walks are in local memory: most groups need
  /// no such walk, and stacks in shared memory would make the L1 cache smaller for all groups.
  template <class Lane, class Order>
  BC_DEVICE static void walk_per_lane(Lane& lane, const View& view, const RayBatch<Layout>& batch,
                                      const Order& order, u32 first, GroupEnd end) {
    u32 bottom[kDeepestLevel + 1];
    Walk walk(bottom);
    BC_NO_UNROLL
    for (u32 half = 0; half < kGroupRays; half += kWarpSize) {
      const u32 place = order.place(first + half + lane.lane());
      if (place < batch.count) {
        walk.begin(bottom, place, view, batch);
        if (end == GroupEnd::unfinished) walk.continue_from(batch.hits[place]);
      }
      walk.template walk_by_votes<CastCoherent<View, RayKind::closest, true>::kLeafWeight>(
          lane, 0u, view, batch);
      walk.end(batch);
    }
  }
};

}  // namespace ballotcast::detail
