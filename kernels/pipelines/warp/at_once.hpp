// Kernels of pipeline warp in which each lane casts one ray and fetches no others. Used for casts
// that need only part of the machine, and for many coherent rays.
#pragma once

#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/pipelines/warp/last_rays.hpp"

namespace ballotcast::detail {

/// Casts one ray per lane. `kShares`: when at most `fewest` lanes of a warp are busy, the whole
/// warp takes over their rays after kMoreTurns more turns (last_rays.hpp).
template <class View, RayKind kKind, bool kPlain, bool kShares = kMayShare<View, kPlain>>
struct CastAtOnce {
  using Last = LastRays<View, kKind, kPlain, kShares>;
  using Walk = LaneWalk<View, kKind, kPlain>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  // Coherent rays reach leaves at about the same time. So a warp tests leaves as soon as more than
  // a third of its busy lanes are at leaves.
  static constexpr u32 kLeafWeight = 2;
  // Within this many turns, many of the last rays end by themselves. The fastest value on an H200:
  // see docs/results/last-rays-h200.txt.
  static constexpr u32 kMoreTurns = kShares ? 8 : 0;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, const View& view, const RayBatch<Layout>& batch,
                            u32 fewest) {
    cast(lane, words, view, batch, fewest, lane.id());
  }

  /// `place`: the index of the lane's ray in the batch. If it is batch.count or more, the lane has
  /// no ray.
  template <class Lane>
  BC_DEVICE static void cast(Lane& lane, u32* words, View view, RayBatch<Layout> batch, u32 fewest,
                             u32 place) {
    assume_plain<kPlain>(view, batch);
    u32* const bottom = words + lane.thread();
    Walk walk(bottom);
    if (place < batch.count) walk.begin(bottom, place, view, batch);
    walk.template walk_by_votes<kLeafWeight, kMoreTurns>(lane, fewest, view, batch);
    Last::cast(lane, walk, words + lane.warp() * kWarpSize, view, batch);
    walk.end(batch);
  }
};

/// The kernel for many coherent rays. `alone`: see begin_coherent.
template <class View, RayKind kKind, bool kPlain>
struct CastCoherent : CastAtOnce<View, kKind, kPlain, false> {
  using Base = CastAtOnce<View, kKind, kPlain, false>;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, const View& view,
                            const RayBatch<typename Base::Layout>& batch, WarpChoice* choice,
                            bool alone) {
    if (!begin_coherent(lane, *choice, batch.rays, batch.count, alone)) return;
    const RayOrder order = choice->order(lane, batch.count);
    Base::cast(lane, words, view, batch, 0u, order.place(lane.id()));
  }
};

}  // namespace ballotcast::detail
