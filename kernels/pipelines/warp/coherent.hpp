// The kernel of pipeline warp for coherent rays: one ray per lane from the start.
#pragma once

#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/pipelines/warp/lane_walk.hpp"

namespace ballotcast::detail {

template <class View, RayKind kKind, bool kPlain>
struct CastCoherent {
  using Walk = LaneWalk<View, kKind, kPlain>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  // Coherent rays reach leaves at about the same time. So their leaves are tested as soon as more
  // than a third of the busy lanes are at one.
  static constexpr u32 kLeafWeight = 2;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch,
                            WarpChoice* choice) {
    if (choice->kind == kIncoherent) {
      if (lane.id() == 0u) choice->next = 0u;
      return;
    }
    forget_what_is_plain<kPlain>(view, batch);
    u32* const bottom = words + lane.thread();
    Walk walk(bottom);
    if (lane.id() < batch.count) walk.begin(bottom, lane.id(), view, batch);
    walk.template walk_by_votes<kLeafWeight>(lane, 0u, view, batch);
    walk.end(batch);
  }
};

}  // namespace ballotcast::detail
