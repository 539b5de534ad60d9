// The kernel of pipeline warp for casts that need only part of the machine: one ray per lane from
// the start, whatever the rays are.
#pragma once

#include "kernels/pipelines/warp/coherent.hpp"
#include "kernels/pipelines/warp/last_rays.hpp"

namespace ballotcast::detail {

/// A warp shares the work of its last rays, of which there are `fewest` (last_rays.hpp).
template <class View, RayKind kKind, bool kPlain>
struct CastAtOnce {
  using Last = LastRays<View, kKind, kPlain>;
  using Walk = LaneWalk<View, kKind, kPlain>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  // So many turns the last rays go on by themselves. It is the best value on an H200: many are done
  // by then.
  static constexpr u32 kMoreTurns = 8;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch, u32 fewest) {
    forget_what_is_plain<kPlain>(view, batch);
    u32* const bottom = words + lane.thread();
    Walk walk(bottom);
    if (lane.id() < batch.count) walk.begin(bottom, lane.id(), view, batch);
    walk.template walk_by_votes<CastCoherent<View, kKind, kPlain>::kLeafWeight, kMoreTurns>(
        lane, fewest, view, batch);
    Last::cast(lane, walk, words + lane.warp() * kWarpSize, view, batch);
    walk.end(batch);
  }
};

}  // namespace ballotcast::detail
