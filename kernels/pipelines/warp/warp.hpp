// Pipeline warp: one kernel casts each ray from start to end. Ballots of a warp decide when it
// tests leaves, when it fetches rays, and when it stops. There are different kernels for coherent
// and for incoherent rays; see cast.hpp.
#pragma once

#include "kernels/pipelines/pipeline.hpp"
#include "kernels/pipelines/warp/cast.hpp"

namespace ballotcast::detail {

struct Warp : RaysInOneGo {
  static constexpr PipelineInfo info{"warp", "one kernel; ballots of a warp decide what it does",
                                     false, 0};

  /// `View`: a TraceView, a MovingTraceView or an InstancedView.
  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        const CastPlan&) {
    const bool plain = !view.scene.has_cutouts && !batch.visits;
    if (batch.kind == RayKind::any)
      plain ? cast<RayKind::any, true>(machine, view, batch)
            : cast<RayKind::any, false>(machine, view, batch);
    else
      plain ? cast<RayKind::closest, true>(machine, view, batch)
            : cast<RayKind::closest, false>(machine, view, batch);
    return {batch.count, 1, 0};
  }

 private:
  /// From this number of coherent rays on, Supply::many is used (walks without votes), else
  /// Supply::few (with votes). On an H200, walks without votes were 4 % faster above this number,
  /// and 2 % slower below it (tools/results).
  static constexpr u32 kMany = 6u << 20;

  template <RayKind kKind, bool kPlain, class Machine, class View, class Layout>
  static void cast(Machine& machine, const View& view, const RayBatch<Layout>& batch) {
    WarpChoice* choice = machine.warp_choice();
    // The stack of a lane: one word for the end of the walk, and one per tree level for the farther
    // child.
    const u32 words = view.shape.depth + 1u;
    using Fetched = CastByWarp<View, kKind, Supply::fetched, kPlain>;
    const u32 enough = blocks_for(batch.count, Fetched::kBlockSize);
    const u32 held =
        machine.template blocks_at_once<Fetched, View, RayBatch<Layout>, WarpChoice*>(words);
    machine.template launch_with_words<Fetched>(
        "cast by warp, fetching", enough < held ? enough : held, words, view, batch, choice);
    if constexpr (kKind == RayKind::any) {
      machine.template each<FetchFromStart>("fetch from the start", 1u, choice);
    } else if (batch.count < kMany) {
      cast_coherent<CastByWarp<View, kKind, Supply::few, kPlain>>(machine, view, batch, words);
    } else if (machine.may_wait() && machine.read(choice).coherent == 0u) {
      // With many rays the host reads the choice, and does not launch the second kernel in vain.
      // Reading takes less time than a grid whose blocks all return at once (10 us against 80 us
      // for 16 Mi rays on an H200).
      machine.template each<FetchFromStart>("fetch from the start", 1u, choice);
    } else {
      cast_coherent<CastByWarp<View, kKind, Supply::many, kPlain>>(machine, view, batch, words);
    }
  }

  template <class Kernel, class Machine, class View, class Layout>
  static void cast_coherent(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                            u32 words) {
    machine.template launch_with_words<Kernel>("cast by warp",
                                               blocks_for(batch.count, Kernel::kBlockSize), words,
                                               view, batch, machine.warp_choice());
  }
};

}  // namespace ballotcast::detail
