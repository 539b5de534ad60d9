// The kernel of pipeline warp for coherent rays: one ray per lane from the start.
#pragma once

#include "kernels/pipelines/warp/at_once.hpp"
#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// `alone`: see begin_coherent.
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
